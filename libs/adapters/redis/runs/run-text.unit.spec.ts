import { expect, test } from 'vitest'
import { samplePassage, sampleRun } from '@plumbline/ports/run-store/sample-run'
import { evidenceOf, knownRuns, runOf, textOf, textOfEvidence, textOfOpen } from './run-text'

const policy = { name: 'standard', skills: { answer: { tier: 'small', temperature: 0 } } } as never

test('the newest runs are known, and no more than so many', () => {
  const known = knownRuns(3)
  for (const id of ['a', 'b', 'c']) known.keep('v1', sampleRun({ id }))
  known.keep('v2', sampleRun({ id: 'a' }))
  known.keep('v1', sampleRun({ id: 'd' }))
  expect(['a', 'b', 'c', 'd'].map((id) => known.get(id)?.version)).toEqual(['v2', undefined, 'v1', 'v1'])
})

test('an ended run is forgotten', () => {
  const known = knownRuns()
  known.keep('v1', sampleRun({ id: 'a' }))
  known.keep('v2', sampleRun({ id: 'a', open: [] }))
  expect(known.get('a')).toBeUndefined()
})

test('a run stands for its own version only', () => {
  const known = knownRuns()
  const run = known.keep('v1', sampleRun({ id: 'a', policy }))
  expect(known.runOf(known.get('a'), { version: 'v1', text: '', policy: '' })).toBe(run)
  const moved = { ...run, question: 'Another?' }
  const { run: text, policy: policyText } = textOfOpen(moved)
  expect(known.runOf({ version: 'v1', run }, { version: 'v2', text, policy: policyText })).toEqual(moved)
  expect(known.get('a')).toEqual({ version: 'v2', run: moved })
})

test('a run comes back as it was, moving or ended', () => {
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

test('a passage comes back as it was, with tables in less than its Markdown takes; one stored before is read', () => {
  const rows = Array.from({ length: 60 }, (_, at) => [`Moon ${at}`, String(at * 7_919)])
  const text = ['| Moon | Distance |', '|---|---|', ...rows.map((cells) => `| ${cells.join(' | ')} |`)].join('\n')
  const plain = samplePassage('p1', text)
  const tabled = { ...plain, tables: [{ line: 0, header: [['Moon', 'Distance']], rows }] }
  expect(evidenceOf(textOfEvidence(tabled))).toEqual(tabled)
  expect(textOfEvidence(tabled).length).toBeLessThan(text.length)
  expect(textOfEvidence(plain)).toBe(JSON.stringify(plain))
  expect(evidenceOf(JSON.stringify(tabled))).toEqual(tabled)
})
