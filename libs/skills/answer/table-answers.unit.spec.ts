import { describe, expect, it } from 'vitest'
import type { Evidence } from '@plumbline/contracts'
import { asEvidence } from '../eval/data'
import type { Call } from '../skill'
import { offlineAnswer } from './answer.offline'

const call: Call = { signal: new AbortController().signal, tier: 'small', temperature: 0 }
const passage = (id: string, title: string, heading: string, lines: string[]): Evidence =>
  asEvidence({ id, title, headingPath: [title, heading], text: lines.join('\n') })

const kilns = passage('kilns', 'Kilns of the East Valley', 'Table 1. Clay waste share (CWS) by kiln: East Valley', [
  '| Place | 2021 | 2022 |',
  '|---|---|---|',
  '| Morwick | 40% | 44% |',
  '| Tarn | 12% | 10% |',
  '| Sella | — | 5% |',
  '| Osk | 5% | — |',
])
const wells = passage('wells', 'Wells', 'Table 2. Wells: annual means', [
  '| Well | pH | Nitrate (mg/L) | Flow (m³/s) |',
  '|---|---|---|---|',
  '| Upper Tarn | 7.9 | 2.1 | 14.5 |',
  '| Low Tarn | 7.4 | 9.8 | 52.7 |',
])
const frost = passage('frost', 'Frost', 'Table 3. Lowest air temperature (°C)', [
  '| Well | 2021 | 2022 |',
  '|---|---|---|',
  '| Upper Tarn | -11.4 | −8.0 |',
  '| Low Tarn | -3.0 | 0.4 |',
])
const accounts = passage('accounts', 'Accounts', 'Income statement (EUR thousand)', [
  '| Line item | Full year 2023 | Full year 2022 | Second half 2023 |',
  '|---|---|---|---|',
  '| Revenue | 1,245 | 1,180 | 640 |',
  '| Net profit | 61 | (34) | 33 |',
])
const note = asEvidence({
  id: 'note',
  title: 'Kilns',
  headingPath: ['Kilns'],
  text: 'Sources: Kiln Board (CWS, 2021-2022); Clay Office (CWS).',
})

const ask = async (question: string, evidence: Evidence[] = [kilns, wells, frost, accounts]): Promise<string> =>
  (await offlineAnswer({ question, steps: [], evidence, maxSentences: 6 }, call)).text

describe('bounds on cells', () => {
  it.each([
    ['Which places had a CWS above 10% in 2022?', 'Clay waste share (CWS) in 2022 in Table 1: Morwick 44% [1].'],
    [
      'Which places had no more than 10% CWS in 2022?',
      'Clay waste share (CWS) in 2022 in Table 1: Tarn 10%, Sella 5% [1].',
    ],
    [
      'Which places were not below 10% CWS in 2022?',
      'Clay waste share (CWS) in 2022 in Table 1: Morwick 44%, Tarn 10% [1].',
    ],
    [
      'Which places had a CWS between 5 and 10 in 2022?',
      'Clay waste share (CWS) in 2022 in Table 1: Tarn 10%, Sella 5% [1].',
    ],
    ['Which places had a CWS of exactly 10% in 2022?', 'Clay waste share (CWS) in 2022 in Table 1: Tarn 10% [1].'],
    ['Was the CWS of Tarn in 2022 above 20%?', 'Clay waste share (CWS) of Tarn in 2022 was 10% [1].'],
    ['Which wells have nitrate above 5 mg/L?', 'Nitrate (mg/L) in Table 2: Low Tarn 9.8 [1].'],
  ])('%s', async (question, text) => expect(await ask(question)).toBe(text))
})

describe('what a question says beside the measure and the row', () => {
  it.each([
    ['Which places have no CWS value for 2022?', 'Clay waste share (CWS) in 2022 is not reported for Osk [1].'],
    ['What is the flow at Upper Tarn in L/s?', 'Flow (m³/s) of Upper Tarn is 14.5 [1].'],
    [
      'What was the lowest air temperature at Low Tarn in 2022?',
      'Lowest air temperature (°C) of Low Tarn in 2022 was 0.4 [1].',
    ],
    ['What was the net profit in the second half of 2023?', 'Net profit (Second half) in 2023 was 33 [1].'],
    ['What is the exact CWS of Tarn in 2022?', 'Clay waste share (CWS) of Tarn in 2022 was 10% [1].'],
    [
      'Give the CWS of Tarn in 2021 as well as its CWS in 2022.',
      'Clay waste share (CWS) of Tarn in 2021 was 12% [1]. Clay waste share (CWS) of Tarn in 2022 was 10% [1].',
    ],
  ])('%s', async (question, text) => expect(await ask(question)).toBe(text))

  it.each([
    'What was the CWS of Tarn City in 2022?',
    'What was the CWS in East Morwick in 2022?',
    'What was the CWS of Tarn (annex) in 2022?',
    'What was the cooling CWS of Tarn in 2022?',
    'Ammonium (mg/L) at Low Tarn?',
    'What is the minimum pH at Low Tarn?',
  ])('is not left out: %s', async (question) =>
    expect(await ask(question)).not.toMatch(/\d (?:\[|was)|was \d|10%|44%|highest/),
  )

  it('ranks no cells by what changed most', async () =>
    expect(await ask('Which place improved its CWS the most from 2021 to 2022?')).not.toMatch(/highest/i))

  it('is answered by no line of sources', async () =>
    expect(await ask('worst CWS in 2022?', [note])).toMatch(/^The documents do not answer/))
})

describe('when and who, of one row', () => {
  const ships = passage('ships', 'Ships', 'Ships', [
    '| Ship | Launched (year) | Found by | Found (year) |',
    '|---|---|---|---|',
    '| Alma | 1877 | Oskar Berg | 1901 |',
    '| Vega | 1655 | Hanna Lund | 1702 |',
  ])
  const answer = async (question: string): Promise<string> =>
    (await offlineAnswer({ question, steps: [], evidence: [ships], maxSentences: 4 }, call)).text
  it('a time is a year', async () => {
    expect(await answer('When was Alma found?')).toBe('Found (year) of Alma is 1901 [1].')
    expect(await answer('By whom was Alma found?')).toBe('Alma: found by Oskar Berg [1].')
  })
  it('somebody is no year', async () =>
    expect(await answer('By whom was Alma launched?')).toBe(
      'The documents do not answer the question “By whom was Alma launched” [1].',
    ))
})
