import { describe, expect, it } from 'vitest'
import { EndStatus, reasons, type RunView } from '@plumbline/contracts'
import type { Run } from '@plumbline/flow'
import { after, checked, checking, parked, passage, quoted, writing } from '@plumbline/flow/spec/run-fixtures.spec'
import { heldText } from '@plumbline/gateway/present/outcome'
import { runView, shownPassages } from '@plumbline/gateway/present/run-view'
import { addedBy, completionOf } from './completion'

const evidence = [1, 2].map((n) => ({ ...passage(`p${n}`), text: 'A table:\n![a](http://x.example/p.png) [1]' }))
const shown = (run: Run, passages = evidence) => {
  const view: RunView = runView(
    run,
    passages.filter(({ id }) => shownPassages(run, 'asker').includes(id)),
    'asker',
  )
  return completionOf({ run, view, ignored: [], origin: 'http://here.example' })
}
const answered = after(checking(), checked(1)).run
const textOf = (run: Run) => {
  const [choice] = shown(run).choices
  return [choice?.message.content, choice?.finish_reason]
}
const saying = (answer: Partial<NonNullable<Run['answer']>>, fields: Partial<Run> = {}): Run => ({
  ...answered,
  ...fields,
  answer: { kind: 'written', text: 'Mars is red [1].', citations: [{ n: 1, passageId: 'p1' }], ...answer },
})

describe('the text of a completion', () => {
  it('has the caveat first and what is asked back last', () =>
    expect(textOf(saying({ caveat: 'Not checked.', question: 'Which part?' }))).toEqual([
      'Not checked.\n\nMars is red [1].\n\nWhich part?',
      'stop',
    ]))

  it('formats quotes so that no text of a document becomes an image or a citation', () => {
    const quotes = [{ n: 1, passageId: 'p1', text: 'Red ![a](http://x.example/p.png) [1]\n| a |', marks: [] }]
    const completion = shown(saying({ kind: 'quoted', text: 'These come closest.', quotes }))
    const { content = '', annotations } = completion.choices[0]?.message ?? {}
    expect(content).toBe('These come closest.\n\n**Title p1 [1]**\n\n> Red !\\[a](http://x.example/p.png) [1]\n> | a |')
    expect(annotations?.map(({ url_citation: at }) => at.start_index)).toEqual([content.indexOf('[1]**')])
    expect(completion.plumbline).toMatchObject({ kind: 'quoted', quotes: [{ n: 1 }] })
  })

  it('says how many rows of a table are quoted, if not all', () => {
    const quotes = [{ n: 1, passageId: 'p1', text: '| a |\n|---|\n| b |', marks: [], rows: { shown: 1, of: 8 } }]
    expect(textOf(saying({ quotes }))[0]).toBe(
      'Mars is red [1].\n\n**Title p1 [1] · 1 of 8 rows**\n\n> | a |\n> |---|\n> | b |',
    )
  })

  it('consists of the quotes if no model wrote an answer', () => {
    const [content, finish] = textOf(after(writing({ checkAnswer: 'off' }), quoted(1, ['p1', 'p2'])).run)
    expect(finish).toBe('stop')
    expect(content).toMatch(/\*\*Title p1 \[1\]\*\*\n\n> Text of p1\.\n\n\*\*Title p2 \[2\]\*\*\n\n> Text of p2\.$/)
  })

  const released = ['answered', 'needs_input', 'declined', 'unanswered']
  it.each(EndStatus.options)('of a run that ended %s is its answer only if that is released', (status) => {
    const text = textOf(saying({ text: 'A draft.' }, { status }))
    if (released.includes(status)) expect(text).toEqual(['A draft.', 'stop'])
    else expect(text[1]).toBe('content_filter')
    expect(JSON.stringify(shown(saying({ text: 'A draft.' }, { status }))).includes('A draft.')).toBe(
      released.includes(status),
    )
  })

  it('gives the reason if there is no answer', () => {
    expect(textOf(parked().run)).toEqual([heldText, 'content_filter'])
    const ended = { ...parked().run, status: 'expired', reason: 'expired.review-overdue' } as const
    expect(textOf(ended)).toEqual([reasons['expired.review-overdue'], 'content_filter'])
    expect(textOf({ ...ended, reason: 'of.another-version' })[0]).toBe(
      'This question ended without an answer: expired.',
    )
    expect(textOf(checking().run)).toEqual(['This answer is not ready yet.', 'length'])
  })
})

describe('a citation', () => {
  const urlsOf = (text: string, url?: string) =>
    shown(saying({ text }), [
      { ...passage('p1'), ...(url !== undefined && { url }) },
    ]).choices[0]?.message.annotations.map(({ url_citation: cited }) => cited.url)

  it('links to the web address of its document, or else to the document in the web app', () => {
    expect(urlsOf('Red [1].', 'https://planets.example/mars')).toEqual(['https://planets.example/mars'])
    const here = 'http://here.example/documents/planets/d-p1?passage=p1'
    for (const url of ['javascript:alert(1)', 'file:///etc/passwd', 'mars.html', undefined])
      expect(urlsOf('Red [1].', url)).toEqual([here])
  })

  it('is every number in brackets that cites something', () =>
    expect(urlsOf('Red [1], small [1], far [7].')).toHaveLength(2))
})

describe('what a checked part adds to a stream', () => {
  const added = (from: number, text: string, sent: string) =>
    addedBy({ type: 'checked', audience: 'asker', at: 1, draft: 1, from, text, citations: [] }, sent)

  it('is its text, without the beginning that was already sent', () => {
    expect(added(0, 'Red.', '')).toBe('Red.')
    expect(added(4, ' Small.', 'Red.')).toBe(' Small.')
    expect(added(0, 'Red.', 'Red. Small.')).toBe('')
    expect(added(0, 'Red. Small.', 'Red.')).toBe(' Small.')
  })

  it('is nothing if it does not continue the text that was sent', () => {
    expect(added(0, 'Blue.', 'Red.')).toBeNull()
    expect(added(4, ' Small.', 'Red')).toBeNull()
    expect(added(0, 'Blue, and small.', 'Red.')).toBeNull()
  })
})
