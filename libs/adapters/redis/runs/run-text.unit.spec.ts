import { expect, test } from 'vitest'
import { samplePassage, sampleRun } from '@plumbline/ports/run-store/sample-run'
import { evidenceOf, runCache, runOf, textOf, textOfEvidence, textOfOpen } from './run-text'

const policy = { name: 'standard', skills: { answer: { tier: 'small', temperature: 0 } } } as never

const neverRead = () => expect.unreachable()

test('the newest runs are cached, up to a limit', () => {
  const known = runCache({ runs: 3, passages: 100 })
  for (const id of ['a', 'b', 'c']) known.moved('v0', 'v1', sampleRun({ id }), [])
  known.moved('v1', 'v2', sampleRun({ id: 'a' }), [])
  known.moved('v0', 'v1', sampleRun({ id: 'd' }), [])
  expect(['a', 'b', 'c', 'd'].map((id) => known.get(id)?.version)).toEqual(['v2', undefined, 'v1', 'v1'])
})

test('passages are cached up to a limit', () => {
  const known = runCache({ runs: 3, passages: 3 })
  const two = [samplePassage('p1', 'one'), samplePassage('p2', 'two')]
  for (const id of ['a', 'b', 'c']) known.moved('v0', 'v1', sampleRun({ id }), two)
  expect(['a', 'b', 'c'].map((id) => known.get(id)?.passages.size)).toEqual([undefined, 2, 2])
})

test('an ended run is forgotten', () => {
  const known = runCache()
  known.moved('v0', 'v1', sampleRun({ id: 'a' }), [])
  known.moved('v1', 'v2', sampleRun({ id: 'a', open: [] }), [])
  expect(known.get('a')).toBeUndefined()
})

test('a cached run is used for its own version only', () => {
  const known = runCache()
  const run = sampleRun({ id: 'a', policy })
  known.moved('v0', 'v1', run, [])
  expect(known.runOf('a', known.get('a'), 'v1', neverRead)).toBe(run)
  const named = known.get('a')
  const moved = { ...run, question: 'Another?' }
  expect(known.runOf('a', named, 'v2', () => moved)).toBe(moved)
  expect(known.get('a')).toMatchObject({ version: 'v2', run: moved })
})

test('a run that moved here while the store was asked is not read again', () => {
  const known = runCache()
  known.moved('v0', 'v1', sampleRun({ id: 'a', policy }), [])
  const named = known.get('a')
  const moved = sampleRun({ id: 'a', policy, question: 'Another?' })
  known.moved('v1', 'v2', moved, [])
  expect(known.runOf('a', named, 'v2', neverRead)).toBe(moved)
})

test('passages are known as long as every move since was made here', () => {
  const known = runCache()
  const run = sampleRun({ id: 'a', policy })
  const ids = () => [...(known.get('a')?.passages.keys() ?? [])]
  known.moved('v0', 'v1', run, [samplePassage('p1', 'one')])
  known.moved('v1', 'v2', run, [samplePassage('p2', 'two')])
  expect(ids()).toEqual(['p1', 'p2'])
  known.moved('v3', 'v4', run, [samplePassage('p3', 'three')])
  expect(ids()).toEqual(['p3'])
  known.runOf('a', undefined, 'v5', () => run)
  expect(ids()).toEqual([])
})

test('a run is restored unchanged, moving or ended', () => {
  const moving = sampleRun({ id: 'a', question: 'Größe “µ”?', policy })
  const ended = { ...moving, open: [], status: 'answered' as const }
  for (const run of [moving, ended]) {
    expect(runOf(textOf(run), textOfOpen(run).policy)).toEqual(run)
  }
})

test('runs of one policy share it unchangeably', () => {
  const moving = sampleRun({ id: 'a', policy })
  const text = textOfOpen(moving)
  const [one, two] = [runOf(text.run, text.policy), runOf(text.run, text.policy)]
  expect(one.policy).toBe(two.policy)
  expect(() => Object.assign(one.policy.skills.answer, { temperature: 1 })).toThrow(TypeError)
})

test('a passage is restored unchanged, with tables in less space than their Markdown; older entries are read', () => {
  const rows = Array.from({ length: 60 }, (_, at) => [`Moon ${at}`, String(at * 7_919)])
  const text = ['| Moon | Distance |', '|---|---|', ...rows.map((cells) => `| ${cells.join(' | ')} |`)].join('\n')
  const plain = samplePassage('p1', text)
  const tabled = { ...plain, tables: [{ line: 0, header: [['Moon', 'Distance']], rows }] }
  expect(evidenceOf(textOfEvidence(tabled))).toEqual(tabled)
  expect(textOfEvidence(tabled).length).toBeLessThan(text.length)
  expect(textOfEvidence(plain)).toBe(JSON.stringify(plain))
  expect(evidenceOf(JSON.stringify(tabled))).toEqual(tabled)
})
