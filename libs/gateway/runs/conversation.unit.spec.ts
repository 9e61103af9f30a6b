import { describe, expect, it } from 'vitest'
import type { Run } from '@plumbline/flow'
import { after, checked, checking, parked } from '@plumbline/flow/spec/run-fixtures.spec'
import { turnsFromClient, conversation, upTo } from './conversation'

const answered = (id: string, fields: Partial<Run> = {}): Run => ({
  ...after(checking({}, { id, question: `Question ${id}?` }), checked(1)).run,
  ...fields,
})
const saying = (text: string, more: Partial<NonNullable<Run['answer']>> = {}): Partial<Run> => ({
  answer: { kind: 'written', text, citations: [{ n: 1, passageId: 'p1' }], ...more },
})

describe('thread data for a question', () => {
  it('is nothing in a new thread', () => expect(conversation([])).toBeUndefined())

  it('is the last run and up to six before it, oldest first', () => {
    const runs = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((id) => answered(id, saying(`Answer ${id} [1].`)))
    const thread = conversation(runs)
    expect(thread).toMatchObject({
      runId: 'h',
      status: 'answered',
      question: 'Question h?',
      text: 'Answer h [1].',
      passageIds: ['p1'],
    })
    expect(thread?.turns?.map(({ runId }) => runId)).toEqual(['b', 'c', 'd', 'e', 'f', 'g'])
    expect(thread?.turns?.[0]).toEqual({ runId: 'b', question: 'Question b?', text: 'Answer b [1].' })
  })

  it('gives the next run the ids of all runs of the thread', () => {
    const inThread = conversation(['a', 'b', 'c'].map((id) => answered(id)))
    expect(upTo(answered('d', { inThread }))).toEqual(['a', 'b', 'c', 'd'])
    expect(upTo(answered('a'))).toEqual(['a'])
  })

  it('has the question as it stands alone', () =>
    expect(conversation([answered('a', { standalone: 'How heavy is Mars in 2023?' })])?.question).toBe(
      'How heavy is Mars in 2023?',
    ))

  it.each(['parked', 'running', 'failed', 'cancelled', 'rejected', 'expired'] as const)(
    'is of a run that is %s nothing but its question',
    (status) => {
      const run = { ...parked().run, status, ...saying('A held draft [1].') }
      expect(conversation([answered('a', saying('Said [1].')), run])).toMatchObject({
        status,
        question: 'How heavy is Mars?',
        text: '',
        passageIds: [],
      })
      expect(conversation([run, answered('b')])?.turns).toMatchObject([{ text: '' }])
    },
  )

  it('keeps the caveat before the text, and the question to the asker complete', () => {
    const run = answered('a', saying('x'.repeat(2_000), { caveat: 'Not checked.', question: 'Which part?' }))
    const text = conversation([run])?.text ?? ''
    expect(text).toHaveLength(1_000)
    expect(text).toMatch(/^Not checked\.\n\nx+…\n\nWhich part\?$/)
  })

  it('has only the first of several quotes, shortened', () => {
    const quote = (n: number, text: string) => ({ n, passageId: 'p1', text, marks: [] })
    const quotes = [quote(1, `Mars ${'is light '.repeat(200)}`), quote(2, 'Venus is heavy.')]
    const text = conversation([answered('a', saying('These come closest.', { kind: 'quoted', quotes }))])?.text ?? ''
    expect(text).toMatch(/^These come closest\.\n\nMars is light/)
    expect(text).not.toContain('Venus')
    expect(text.length).toBeLessThanOrEqual(1_000)
  })

  it('has the newest summary of the thread', () => {
    const inThread = {
      runId: 'z',
      status: 'answered',
      question: '',
      text: '',
      passageIds: [],
      summary: 'Of old.',
    } as const
    const before = { ...inThread, passageIds: [] }
    expect(conversation([answered('a', { inThread: before })])?.summary).toBe('Of old.')
    expect(conversation([answered('a', { inThread: before, summary: 'Of new.' })])?.summary).toBe('Of new.')
  })
})

describe('a conversation that the client sends', () => {
  const turn = (n: number) => ({ question: `Question ${n}?`, text: `Answer ${n} [1].` })

  it('is the last turn and up to six before it, of no run and with no passage', () => {
    expect(turnsFromClient([])).toBeUndefined()
    expect(turnsFromClient([turn(1)])).toEqual({ status: 'answered', ...turn(1), passageIds: [] })
    const long = turnsFromClient(Array.from({ length: 9 }, (_, n) => turn(n)))
    expect(long).toEqual({ status: 'answered', ...turn(8), passageIds: [], turns: [2, 3, 4, 5, 6, 7].map(turn) })
  })

  it('adds no run to a thread', () =>
    expect(upTo(answered('b', { inThread: turnsFromClient([turn(1), turn(2)]) }))).toEqual(['b']))
})
