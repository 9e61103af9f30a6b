import { expect, it } from 'vitest'
import type { Run } from '../schema/run'
import { admitted, after, asking } from '../spec/run-fixtures.spec'
import { heldAnswerWords, searchWords } from './held-answer-words'

it('lists each word once, in lower case, and cuts long words and long texts', () => {
  expect(searchWords('The Tern, the pier: 31 m.')).toEqual(['the', 'tern', 'pier', '31', 'm'])
  expect(searchWords('x'.repeat(50))).toEqual(['x'.repeat(40)])
  const many = Array.from({ length: 2_500 }, (_, n) => `word${n}`).join(' ')
  expect(searchWords(many)).toHaveLength(2_000)
})

it('finds a held answer by its question, asker, metadata and quotes', () => {
  const { run } = after(asking({ entry: 'research' }), admitted)
  const draft = { ...run.draft, quotes: [{ text: 'The Tern was built in 1887.' }] } as unknown as Run['draft']
  const words = heldAnswerWords({ ...run, askedBy: 'ann', metadata: { ticket: 'T-7' }, draft } as Run)
  expect(words).toEqual(expect.arrayContaining(['ann', '7', 'tern', '1887', ...searchWords(run.question)]))
})
