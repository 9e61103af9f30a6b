import { expect, it } from 'vitest'
import type { RunView } from '@plumbline/contracts'
import { marksIn } from './marks'

const text = 'The lighthouse of Skerry is 31 metres high.\n\n| Keeper | From |\n| Tom Reed | 1902 |'
const source = { n: 1, passageId: 'p1', text }
const marked = (run: Partial<Record<'answer' | 'grounding', object>>): string[] =>
  marksIn(run as unknown as RunView, source).map(([from, to]) => text.slice(from, to))

it('marks what a passage shares with the claims that rest on it, each mark once', () => {
  const claims = [
    { text: '31 metres high', passageId: 'p1' },
    { text: '31 metres', passageId: 'p1' },
    { text: 'Tom Reed', passageId: 'p2' },
  ]
  expect(marked({ grounding: { claims }, answer: { text: '', citations: [] } })).toEqual(['31 metres high'])
})

it('marks what it shares with the lines that cite it where no claim names it', () => {
  expect(marked({ answer: { text: 'Tom Reed [1].\nThe lighthouse [2].', citations: [] } })).toEqual(['Tom Reed | 1902'])
})

it('marks in place what a quote marks, and a quote without marks whole', () => {
  const quote = { n: 1, passageId: 'p1', text: '…\n| Tom Reed | 1902 |', marks: [[15, 19]] }
  expect(marked({ answer: { text: '', quotes: [quote] } })).toEqual(['1902'])
  expect(marked({ answer: { text: '', quotes: [{ ...quote, marks: [] }] } })).toEqual(['| Tom Reed | 1902 |'])
})
