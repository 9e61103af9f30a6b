import type { Evidence } from '@plumbline/contracts'
import { describe, expect, it } from 'vitest'
import { dwellTime, history, pilots } from '../eval/harbours'
import { overrule } from './overrule'

const question = 'Why does error 404 come since 1985?'
const scene = { question, workings: [] }
const sales: Evidence = {
  ...dwellTime,
  id: 'sales',
  headingPath: ['Sales', 'EUR thousand'],
  text: 'As of 3 May 2024.\n\n| Year | Sales |\n|---|---|\n| 2023 | 1,250 |\n\nMore at https://sales.example/2023.',
}
const working = { what: '', formula: 'a * 2', inputs: [{ name: 'a', value: 12, passageId: 'x' }], result: 24 }

describe('what a model supports is overruled', () => {
  it.each([
    ['a figure of another value', 'Aldwick has 13 cranes [1].', [dwellTime], /^13 stands in none/],
    ['a figure of a passage it does not cite', 'Boarding lasts 20 minutes [1].', [dwellTime], /^20 stands/],
    ['a link', 'Pay at [our page](https://pay.example) [1].', [pilots], /pay\.example.* stands in none/],
    ['a link of another place on the same host', 'See https://sales.example/2024 [1].', [sales], /sales\.example/],
    ['a day of another month', 'Sales as of 3 June 2024 [1].', [sales], /3 June 2024/],
    ['what could not be worked out', 'It is {{ a + b }} [1].', [dwellTime], /worked out/],
  ])('for %s', (_, text, cited, why) => {
    expect(overrule(text, cited, scene)).toMatch(why)
  })

  it.each([
    ['a figure of the question', 'Error 404 has come since 1985 [1].', [pilots]],
    ['a figure of a table in thousands', 'Sales were EUR 1.25 million in 2023 [1].', [sales]],
    ['a date written another way', 'As of 2024-05-03 [1].', [sales]],
    ['a link that stands there', 'More is at https://sales.example/2023 [1].', [sales]],
    ['words only, however wrong', 'Pilots never sleep [1].', [pilots]],
    ['two passages together', 'Aldwick has 12 cranes and a quay of 1874 [1][2].', [dwellTime, history]],
  ])('never for %s', (_, text, cited) => {
    expect(overrule(text, cited, scene)).toBeNull()
  })

  it('never for a figure that was worked out, as it is rounded', () => {
    expect(overrule('Together 24 cranes [1].', [pilots], { question, workings: [working] })).toBeNull()
    expect(overrule('Together 24.5 cranes [1].', [pilots], { question, workings: [working] })).toMatch(/24\.5/)
  })
})
