import { describe, expect, it } from 'vitest'
import { asEvidence } from '../eval/data'
import type { Call } from '../skill'
import { offlineCheckClaims } from './check-claims.offline'

const call: Call = { signal: new AbortController().signal, tier: 'small', temperature: 0 }
const passage = (id: string, heading: string, lines: string[]) =>
  asEvidence({ id, title: 'Yearbook', headingPath: ['Yearbook', heading], text: lines.join('\n') })
const evidence = [
  passage('kilns', 'Table 1. Clay waste share (CWS) by kiln', [
    '| Place | 2021 | 2022 |',
    '|---|---|---|',
    '| Morwick | 40% | 44% |',
    '| Dallas | 12% | 10% |',
    '| Sella | — | 10% |',
  ]),
  passage('wells', 'Table 2. Wells', [
    '| Well | pH | Nitrate (mg/L) | Flow (m³/s) |',
    '|---|---|---|---|',
    '| Upper Tarn | 7.9 | 2.1 | 14.5 |',
    '| Low Tarn | 7.4 | 9.8 | 52.7 |',
  ]),
  passage('accounts', 'Table 3. Income statement', [
    '| Segment | Profit (EUR million) 2022 | Profit (EUR million) 2023 |',
    '|---|---|---|',
    '| Paper | (34.5) | 61.0 |',
    '| Glass | 12.5 | 20.0 |',
  ]),
  passage('stores', 'The kinds of store', [
    '| Kind of store | Lasts (cellar) | Holds |',
    '|---|---|---|',
    '| Root store | 20–30 days | 7 crates |',
    '| Ice store | 2 days | 40 crates |',
  ]),
]
const citations = evidence.map(({ id }, at) => ({ n: at + 1, passageId: id }))
const verdict = async (text: string): Promise<string> =>
  (await offlineCheckClaims({ question: 'q', text, citations, evidence }, call)).map((claim) => claim.verdict).join(' ')

describe('a figure of a table', () => {
  it.each([
    ['supported', 'The flow for Low Tarn stood at 52.7 [2].'],
    ['contradicted', 'The flow for Low Tarn stood at 9.8 [2].'],
    ['unsupported', 'The salinity of Low Tarn was 9.8 [2].'],
    ['supported', 'Root store lasts 20–30 days (cellar) [4].'],
    ['supported', 'The root store lasts 20–30 days [4].'],
    ['unsupported', 'The root store lasts 7 days [4].'],
    ['unsupported', "Dallas's forecast CWS was 10% in 2022 [1]."],
    ['unsupported', 'Reykjavik reported 44% for CWS in 2022 [1].'],
    ['supported', 'Morwick reported 44% for CWS in 2022 [1].'],
    ['contradicted', 'The CWS of Morwick in 2022 was 44 tonnes [1].'],
    ['contradicted', 'The CWS of Dallas was 10% in 2021 and 2022 [1].'],
    ['supported', 'Both Dallas and Sella had a CWS of 10% in 2022 [1].'],
    ['contradicted', 'Both Dallas and Morwick had a CWS of 10% in 2022 [1].'],
  ])('%s: %s', async (expected, text) => expect(await verdict(text)).toBe(expected))
})

describe('a bound on a figure', () => {
  it.each([
    ['supported', 'The CWS of Morwick in 2022 was above 40% [1].'],
    ['contradicted', 'The CWS of Dallas in 2022 was above 40% [1].'],
    ['supported', 'The CWS of Dallas in 2022 was not above 40% [1].'],
    ['contradicted', 'The CWS of Morwick in 2022 was above 40 tonnes [1].'],
  ])('%s: %s', async (expected, text) => expect(await verdict(text)).toBe(expected))
})

describe('accounts', () => {
  it.each([
    ['supported', 'The profit of Paper in 2022 was (34.5) [3].'],
    ['supported', 'The profit of Paper in 2022 was -34.5 [3].'],
    ['contradicted', 'The profit of Paper in 2022 was 34.5 [3].'],
    ['supported', 'The profit of Glass in 2023 was 20 million [3].'],
    ['unsupported', 'The profit of Glass in 2023 was 20 billion [3].'],
    ['contradicted', 'The profit of Glass in 2023 was 12.5 million [3].'],
    ['supported', 'Glass had the highest profit in 2022 [3].'],
  ])('%s: %s', async (expected, text) => expect(await verdict(text)).toBe(expected))
})

describe('what is said to be unreported', () => {
  it.each([
    ['supported', 'The CWS of Sella in 2021 is not reported in the documents [1].'],
    ['contradicted', 'The CWS of Dallas in 2021 is not reported in the documents [1].'],
    ['contradicted', 'No CWS is reported for Dallas in 2022 [1].'],
  ])('%s: %s', async (expected, text) => expect(await verdict(text)).toBe(expected))
})
