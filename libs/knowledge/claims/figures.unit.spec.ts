import type { Passage } from '@plumbline/contracts'
import { describe, expect, it } from 'vitest'
import { strayFigures } from './figures'

const passage = (text: string, more: Partial<Passage> = {}): Passage => ({
  id: 'p1',
  documentId: 'd',
  collection: 'c',
  title: 'Report',
  text,
  headingPath: [],
  position: 0,
  ...more,
})
const stray = (claim: string, source: string, known?: number[]) => strayFigures(claim, [passage(source)], known)

describe('figures', () => {
  it.each([
    ['It grew by 12 %.', 'It grew by 12 percent.'],
    ['It grew by 12%.', 'A growth of 0.12 was seen.'],
    ['Der Anteil ist 0,12.', 'Der Anteil ist 12 Prozent.'],
    ['It cost 1,234,567 euros.', 'Es kostete 1.234.567 Euro.'],
    ['It cost 1234567 euros.', 'Il coûta 1 234 567 euros.'],
    ['It cost €1.5 million.', 'Es kostete 1,5 Mio. Euro.'],
    ['It cost 1,500,000 euros.', 'It cost 1.5 million euros.'],
    ['It cost $5bn.', 'It cost 5 000 000 000 dollars.'],
    ['It cost 12 thousand.', 'It cost 12k.'],
    ['Revenue was 21.5 million.', '| EUR million | 2023 |\n|---|---|\n| Revenue | 21.5 |'],
    ['Revenue was 4,310,000.', 'In thousands of euros\n\n| Revenue | 4,310 |'],
    ['Revenue was 3 million.', '| €m | 2023 |\n|---|---|\n| Revenue | 3 |'],
    ['Es waren 5 Millionen.', '5 million were there.'],
    ['5万円です。', 'It is 50,000 yen.'],
    ['٥٠ ريال', '50 riyals'],
    ['It takes 10ms on 5GB.', 'It takes 10 ms on 5 GB.'],
    ['It has 3 parts.', 'It has three parts.'],
    ['The loss was (12).', 'A result of -12.'],
    ['HTTP 404 means v1.2.3.', 'HTTP404 means version 1.2.3.'],
    ['Between 20 and 30.', '20–30 of them.'],
    ['The list is 1,2,3.', 'It has 1, 2 and 3.'],
    ['Between 2 billion and 3 billion euros.', 'Between 2 and 3 billion euros.'],
    ['It cost $2 million to $3 million.', 'It cost $2–$3 million.'],
    ['Es waren 1,5, 2 und 3 Mio.', 'There were 1.5 million, 2 million and 3,000,000.'],
    ['Open from 9:00 to 21:00.', 'Open from 9 am to 9 p.m.'],
    ['Open from 9 am to 9:30 pm.', 'Geöffnet von 09:00 bis 21:30 Uhr.'],
    ['Ouvert de 9h30 à 18h00.', 'Open from 9.30am to 6pm.'],
    ['Von 9:00 bis 17:00 Uhr.', 'Von 9–17 Uhr.'],
  ])('%s has its figures in: %s', (claim, source) => expect(stray(claim, source)).toEqual([]))

  it.each([
    ['It grew by 13 %.', 'It grew by 12 percent.', '13'],
    ['It cost 1,234,568.', 'It cost 1.234.567.', '1,234,568'],
    ['It cost 5 million euros.', 'It cost 5 euros.', '5'],
    ['It cost $5M.', 'It cost $5.', '5'],
    ['It cost 5 euros.', 'It cost 5 million euros.', '5'],
    ['It cost EUR5000.', 'It cost EUR 500.', '5000'],
    ['It cost 12,500.', 'It cost 12 for 500.', '12,500'],
    ['It is version 1.2.4.', 'It is version 1.2.3, not 4.', '1.2.4'],
    ['It cost ５０.', 'It cost 5.', '50'],
    ['It cost ٥٠.', 'It cost 5.', '50'],
    ['It cost &#x35;0.', 'It cost 5.', '50'],
    ['It cost 5\u200b0.', 'It cost 5 or 0.', '50'],
    ['It cost 12 [3].', 'It cost 11 [12].', '12'],
    ['It cost \u202e12\u202c.', 'It cost 12.', '12'],
    ['It cost 2 million.', 'It cost 2 euros, and later 3 million.', '2'],
    ['It opens at 9 pm.', 'It opens at 8 am and has 21 rooms.', '9'],
    ['It opens at 10 am.', 'It opens at 9 am.', '10'],
    ['It takes 20h.', 'It opens at 8 pm.', '20'],
    ['It opens at 19:30 and 9:30.', 'It opens at 9:30 on 1 day.', '19'],
  ])('%s has a figure that is not in: %s', (claim, source, raw) => expect(stray(claim, source)).toEqual([raw]))

  const call = 'Call +49 30 1234-567 or (555) 010-0199. In 2022 they took 520 of 1500 calls.'
  it.each([
    ['Call +49 30 1234-567 now.', []],
    ['Call (+49) 30 1234 567 or (555) 010-0199.', []],
    ['Call +49 30 1234-568 now.', ['568']],
    ['Call 0800 1234567 now.', ['0800', '1234567']],
    ['Call (555) 010-0198 now.', ['0198']],
  ])('of a telephone number must be in a passage: %s', (claim, expected) =>
    expect(stray(claim, call)).toEqual(expected),
  )

  it.each([
    'In 2022 520 tonnes were moved.',
    'In 2020 1500 units were sold.',
    'By the end of 2024 1200 people worked there.',
    'It was measured in 2019 2020 and 2021.',
    'Report | In 2022 520 tonnes | In 2020 1500 units',
  ])('may follow a year: %s', (claim) =>
    expect(stray(claim, 'It took 520 tonnes, 1,500 units and 1200 people in 2019, 2020, 2021, 2022 and 2024.')).toEqual(
      [],
    ),
  )

  it('may omit in a table row the scale that the passage writes out', () => {
    expect(stray('2023 | 5', 'In 2023 it was 5 million.')).toEqual([])
    expect(stray('2023 | 6', 'In 2023 it was 5 million.')).toEqual(['6'])
  })
  it('may come from the question, or from a calculation that the claim rounds', () => {
    expect(stray('Error 404 is not explained.', 'Nothing.', [404])).toEqual([])
    expect(stray('It is 33.33 %, so 11,615 or 0.012 million.', 'Nothing.', [33.3333, 11614.72, 12000])).toEqual([])
    expect(stray('It is 33.34 %.', 'Nothing.', [33.3333])).toEqual(['33.34'])
  })
  it('may come from the title, the headings and the date of a passage', () =>
    expect(
      strayFigures('In 2023, part 4.2 of 5 March 2024.', [
        passage('Nothing.', { title: 'Report 2023', headingPath: ['4.2 Parts'], date: '2024-03-05' }),
      ]),
    ).toEqual([]))
  it('may not come from the version or the fetch time of a passage', () =>
    expect(
      strayFigures('More than 4 days, or 17.', [
        passage('Up to 3 days.', { version: 'c-4f-9', fetchedAt: '2026-11-22T14:17:04.000Z' }),
      ]),
    ).toEqual(['4', '17']))
})

describe('dates', () => {
  const writings = [
    '2024-03-05',
    '5 March 2024',
    '5th of March 2024',
    'March 5, 2024',
    'Mar. 5th, 2024',
    '05.03.2024',
    '5. März 2024',
    '5 mars 2024',
    '5 de marzo de 2024',
    '2024年3月5日',
    '5/3/24',
    '3/5/24',
  ]
  it('mean one day, however they are written', () => {
    for (const claim of writings)
      for (const source of writings)
        expect(stray(`Since ${claim}.`, `It began on ${source}.`), `${claim}, ${source}`).toEqual([])
  })
  it('are not known by their parts alone', () => {
    for (const claim of ['7 March 2024', '2024-03-07', '5 April 2024', '07.03.2024'])
      expect(stray(`Since ${claim}.`, 'It began on 5 March 2024, 7 days after 4 of them.'), claim).toEqual([claim])
  })
  it.each(['5–7 March 2024', '5 to 7 March 2024', 'March 5–7, 2024', '5.–7. März 2024', 'du 5 au 7 mars 2024'])(
    'are two in a range: %s',
    (range) => {
      for (const claim of ['It began on 5 March 2024.', 'It ended on 2024-03-07.', 'From 5 to 7 March 2024.'])
        expect(stray(claim, `It takes place ${range}.`), claim).toEqual([])
      expect(stray('It is on 6 March 2024.', `It takes place ${range}.`)).toEqual(['6 March 2024'])
      expect(stray(`It takes place ${range}.`, 'It is on 5 March 2024.')).toHaveLength(1)
    },
  )
  it('may have their year elsewhere in the passage', () =>
    expect(stray('It began on 5 March 2024.', 'Report of 2024. It began on 5 March.')).toEqual([]))
})
