import { describe, expect, it } from 'vitest'
import type { Evidence } from '@plumbline/contracts'
import { asEvidence } from '../eval/data'
import { harbours, history, shorePower } from '../eval/harbours'
import { asksForArithmetic } from './asked'
import { computeContract } from './compute.contract'
import { offlineCompute } from './compute.offline'
import { saidWorking } from './working'

computeContract('offline', () => offlineCompute)

const call = { signal: new AbortController().signal, tier: 'small', temperature: 0 } as const
const said = async (question: string, evidence: Evidence[] = []): Promise<string> =>
  (await offlineCompute({ question, evidence }, call)).map(saidWorking).join(' | ')

describe('from the question alone', () => {
  it.each([
    [
      '10,000 at 5 % a year, 3 years, compounded monthly',
      'Amount after 3 years, compounded monthly: 10,000 × (1 + 0.05 / 12)^(12 × 3) = 11,614.72',
    ],
    [
      'If I invest $10,000 at an annual interest rate of 5% compounded monthly, how much will I have after 3 years?',
      'Amount after 3 years, compounded monthly: 10,000 × (1 + 0.05 / 12)^(12 × 3) = $11,614.72',
    ],
    [
      'How much compound interest do €2,000 earn at 4% per year in 2 years?',
      'Interest after 2 years, compounded yearly as no other period is given: 2,000 × (1 + 0.04)^2 − 2,000 = €163.2',
    ],
    [
      'What are 1,000 worth after 18 months at 6 percent compounded quarterly?',
      'Amount after 18 months, compounded quarterly: 1,000 × (1 + 0.06 / 4)^(4 × 18 / 12) = 1,093.44',
    ],
    ['What is the simple interest on 500 at 3% for 4 years?', 'Simple interest after 4 years: 500 × 0.03 × 4 = 60'],
    ['How many km are 5 miles?', 'Converted: 5 mi in km = 8.05 km'],
    ['What is 30 °C in Fahrenheit?', 'Converted: 30 °c in °f = 86 °F'],
    ['Convert 3 square miles to hectares', 'Converted: 3 mi2 in ha = 777 ha'],
    ['How many minutes are there in a week?', 'Converted: 1 wk in min = 10,080 min'],
    ['How many days a week may I work from home?', ''],
    ['What is 15% of 200?', '15% of 200: 0.15 × 200 = 30'],
    ['What percentage of 80 is 20?', 'Share of 20 in 80: 20 / 80 × 100 = 25%'],
    ['20 is what percent of 80?', 'Share of 20 in 80: 20 / 80 × 100 = 25%'],
    ['What is the percentage change from 80 to 100?', 'Percentage change from 80 to 100: (100 − 80) / 80 × 100 = 25%'],
    ['What is the average of 4, 5 and 9?', 'Average of 4, 5 and 9: (4 + 5 + 9) / 3 = 6'],
    ['What is the sum of 1,200.50 and 99.5?', 'Total of 1,200.50 and 99.5: 1,200.5 + 99.5 = 1,300'],
    ['What is the ratio of 9 to 12?', 'Ratio of 9 to 12: 9 / 12 = 0.75'],
    ['What is (12 + 30) × 2?', 'Worked out: (12 + 30) × 2 = 84'],
    ['calculate 2^10 - 24', 'Worked out: 2^10 − 24 = 1,000'],
  ])('%s', async (question, text) => expect(await said(question)).toBe(text))

  it.each([
    'What is 10 divided by nothing at all?',
    'What happened on 2020-10-12?',
    'What is compound interest?',
    'What was the mean dwell time?',
    'How many miles did they sail in 3 days?',
    'What is 5 USD in EUR?',
    'What is 1/0?',
    'What did 10,000 become at 1 % a month in 3 years, compounded monthly?',
    'Who lived at 12-14 High Street?',
    'In total, who works there?',
  ])('nothing: %s', async (question) => expect(await said(question)).toBe(''))
})

describe('from the passages', () => {
  it.each([
    [
      'What is the total of the cranes of Aldwick and Brenholm?',
      'Total of Cranes of Aldwick and Cranes of Brenholm, Westland: 12 + 4 = 16',
    ],
    [
      'By how much did the SPU of Aldwick change from 2020 to 2022?',
      'Change from SPU of Aldwick in 2020 to SPU of Aldwick in 2022: 19 − 12 = 7 percentage points',
    ],
    [
      'By what percentage did the SPU of New Corvey grow from 2020 to 2022?',
      'Percentage change from SPU of New Corvey in 2020 to SPU of New Corvey in 2022: (44 − 40) / 40 × 100 = 10%',
    ],
    [
      'How much higher was the SPU of New Corvey than that of Aldwick in 2021?',
      'Difference between SPU of New Corvey in 2021 and SPU of Aldwick in 2021: 38 − 14 = 24 percentage points',
    ],
    [
      'What is the average SPU of Aldwick, Brenholm and New Corvey in 2020?',
      'Average of SPU of Aldwick in 2020, SPU of Brenholm, Westland in 2020 and SPU of New Corvey in 2020: (12 + 8 + 40) / 3 = 20%',
    ],
    [
      'What is the ratio of cranes in Aldwick to cranes in Brenholm?',
      'Ratio of Cranes of Aldwick to Cranes of Brenholm, Westland: 12 / 4 = 3',
    ],
    [
      'What is the mean dwell time of Aldwick in minutes?',
      'Mean dwell time of Aldwick in min: 31.5 h in min = 1,890 min',
    ],
    ['What is 50% of the cranes of Aldwick?', '50% of Cranes of Aldwick: 0.5 × 12 = 6'],
  ])('%s', async (question, text) => expect(await said(question, harbours)).toBe(text))

  it.each([
    ['a word of a column’s own name is no operation', 'What is the mean dwell time of Aldwick and Brenholm?'],
    ['a cell is missing', 'What is the average SPU of Aldwick (east quay) in 2020 and 2021?'],
    ['one row of all is missing', 'What is the total of the cranes of all harbours?'],
    ['there is one figure only', 'What is the total of the cranes of Aldwick?'],
  ])('nothing where %s', async (_, question) => expect(await said(question, harbours)).toBe(''))

  it('reads figures of sentences where no table has them', async () => {
    const prose = {
      ...history,
      text: 'The budget of Aldwick was 40 million in 2020. The budget of Aldwick was 50 million in 2022.',
    }
    expect(await said('By what percentage did the budget of Aldwick grow from 2020 to 2022?', [prose])).toMatch(
      /\(50,000,000 − 40,000,000\) \/ 40,000,000 × 100 = 25%$/,
    )
  })
})

describe('where numbers tell rows apart', () => {
  const rents = [
    asEvidence({
      id: 'rents',
      title: 'Rents',
      text: '| Floors | Building | Rent (euro) |\n|-|-|-|\n| 12 | Harbour House | 1,200 |\n| 12 | North Tower | 1,400 |\n| 20 | Harbour House | 1,900 |\n| 20 | North Tower | 2,000 |',
    }),
  ]
  it('works with their figures, not with those numbers', async () =>
    expect(
      await said('How much higher is the rent of Harbour House with 20 floors than with 12 floors?', rents),
    ).toMatch(/1,?900 − 1,?200 = 700/))
})

describe('asksForArithmetic', () => {
  it.each([
    'Who founded Oslo?',
    'What does CPU stand for?',
    'When was the quay built?',
    'Which harbour has the most cranes?',
    'List the types of memory.',
    'What does it mean to be moored?',
    'What percentage of shore power did Aldwick report in 2020?',
  ])('spends nothing on: %s', (question) => expect(asksForArithmetic(question)).toBe(false))
  it('takes percentage points for a difference', async () =>
    expect(
      await said('By how many percentage points did the SPU of New Corvey fall from 2020 to 2021?', harbours),
    ).toMatch(/= -?2 percentage points$/))
  it('is asked by what wants a figure worked out', () =>
    expect(asksForArithmetic(`How much higher is the SPU of ${shorePower.title}?`)).toBe(true))
})
