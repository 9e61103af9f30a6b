import type { Passage } from '@plumbline/contracts'
import { describe, expect, it } from 'vitest'
import { chunk } from '../chunking/chunk'
import { exactCells } from './exact-cells'

const passages = (markdown: string, title = 'Yearbook'): Passage[] =>
  chunk({ id: title, collection: 'c', title }, { markup: 'markdown', parts: [{ text: markdown }] })

const rail = passages(`# Rail yearbook

## Table 1. On-time performance (OTP) by line

| Line | Code | 2021 | 2022 | 2023 |
|---|---|---|---|---|
| Harbour | H1 | 91% | — | 88% |
| Harbour (night) | H9 | 70% | 72% | n/a |
| Valley | V2 | 85% | 86% | 93% |

## Table 2. Staff and fleet

| Depot | Staff | Fleet age (years) | Fuel 2023 (l) | Opened |
|---|---|---|---|---|
| Northgate | 120 | 11.5 | 1,200 | May 1988 |
| Southgate | 80 | 5 | 900 | June 2004 |
| Eastmoor | 120 | 7.5 | 2,100 | June 2011 |
`)

const said = (question: string, from = rail): string[] | null =>
  exactCells(question, from)?.map(({ text }) => text) ?? null

describe('cells that a question names', () => {
  it.each([
    ['What was the OTP of the Valley line in 2023?', ['For Valley, OTP in 2023 is 93%.']],
    ['on-time performance valley 2022', ['For Valley, On-time performance in 2022 is 86%.']],
    ['How many staff are there at Northgate?', ['For Northgate, Staff is 120.']],
    ['What is the fleet age of Southgate?', ['For Southgate, Fleet age is 5 years.']],
    ['How much fuel did Eastmoor report for 2023?', ['For Eastmoor, Fuel 2023 is 2,100 l.']],
    ['OTP for V2 in 2021?', ['For Valley (V2), OTP in 2021 is 85%.']],
    ['Wie viel Staff hat das Depot Eastmoor?', ['For Eastmoor, Staff is 120.']],
    ['Quel est le Staff du depot Eastmoor ?', ['For Eastmoor, Staff is 120.']],
  ])('are read if row and column are named in full: %s', (question, expected) => {
    expect(said(question)).toEqual(expected)
  })

  it('are not read if only the unit of a column is named, but its short form in brackets is enough', () => {
    expect(said('How long is a year at Northgate?')).toBeNull()
    const sites = passages('# Sites\n\n| Site | Power usage effectiveness (PUE) |\n|---|---|\n| Oslo | 1.12 |\n')
    expect(said('PUE of Oslo', sites)).toEqual(['For Oslo, Power usage effectiveness (PUE) is 1.12.'])
  })

  it('are listed for every named row and column, and for every sentence', () => {
    expect(said('OTP of Harbour and Valley in 2021 and 2023')).toEqual([
      'For Harbour, OTP in 2021 is 91%.',
      'For Harbour, OTP in 2023 is 88%.',
      'For Valley, OTP in 2021 is 85%.',
      'For Valley, OTP in 2023 is 93%.',
    ])
    expect(said('What was the OTP of Valley in 2022? And the staff of Southgate?')).toHaveLength(2)
  })

  it('are reported as being without a value if they are empty', () => {
    const [cell] = exactCells('What was the OTP of Harbour in 2022?', rail) ?? []
    expect(cell).toMatchObject({ text: 'The table lists Harbour without a value for 2022.', value: null })
    expect(said('OTP of Harbour (night) in 2023')).toEqual([
      'The table lists Harbour (night) without a value for 2023.',
    ])
  })

  it('may have the value none, and get the unit that the caption gives for all figures', () => {
    const plans = passages(
      '# Plans\n\n## Plans (in thousand euros)\n\n| Plan | Price | Support |\n|---|---|---|\n| Free | 1 | none |\n| Team | 12 | email |\n',
    )
    expect(said('Support of Free', plans)).toEqual(['For Free, Support is none.'])
    expect(said('price of Team', plans)).toEqual(['For Team, Price is 12 (in thousand euros).'])
    expect(said('price support of Team', plans)).toBeNull()
    expect(said('price and support of Team', plans)).toHaveLength(2)
  })

  it('are quoted with the header and the row as written', () => {
    const [cell] = exactCells('OTP of Valley in 2023', rail) ?? []
    expect(cell?.value).toBe('93%')
    expect(cell?.quote.map(({ text }) => text)).toEqual([
      '| Line | Code | 2021 | 2022 | 2023 |\n|---|---|---|---|---|\n| Valley | V2 | 85% | 86% | 93% |',
    ])
    expect(cell?.passageIds).toEqual([rail.find(({ text }) => text.includes('Valley'))?.id])
  })

  it('say how many rows of their table are quoted, if not all', () => {
    const rowsOf = (question: string, from = rail) => exactCells(question, from)?.map(({ quote }) => quote[0]?.rows)
    expect(rowsOf('OTP of Valley and Harbour in 2023')).toEqual([
      { shown: 1, of: 3 },
      { shown: 1, of: 3 },
    ])
    expect(rowsOf('What is the average fleet age?')).toEqual([undefined])
    const one = passages('# Rates\n\n| Room | Price |\n|---|---|\n| Single | 80 |\n')
    expect(rowsOf('price of a single room', one)).toEqual([undefined])
    const cut = chunk(
      { id: 'd', collection: 'c', title: 'Stock' },
      {
        markup: 'markdown',
        parts: [
          {
            text: `| Article | Price |\n|---|---|\n${Array.from({ length: 60 }, (_, at) => `| oak${at} | ${at}0 |`).join('\n')}`,
          },
        ],
      },
      { by: 'tokens', size: 160, overlap: 0 },
    )
    const holding = cut.filter(({ text }) => text.includes('oak7 '))
    expect(rowsOf('price of oak7', holding)).toEqual([{ shown: 1, of: expect.any(Number), more: true }])
  })

  it.each([
    ['the measure is not named', 'What about Valley in 2023?'],
    ['the row does not exist', 'What was the OTP of the Lakeside line in 2023?'],
    ['the year does not exist', 'What was the OTP of the Valley line in 2019?'],
    ['no year is named', 'What was the OTP of the Valley line?'],
    ['a word changes the measure', 'What was the planned OTP of the Valley line in 2023?'],
    ['the question asks for a change', 'How much did the OTP of Valley rise from 2021 to 2023?'],
    ['the question has a negation', 'What was the OTP of lines that are not Valley in 2023?'],
    ['a year is only a limit', 'What was the OTP of Valley before 2023?'],
    ['a span of years is meant', 'OTP of Valley in 2021-2023'],
    ['each row has a year of its own', 'OTP of Valley in 2021 and of Harbour in 2023'],
    ['the question asks for the row of a value', 'Which line had an OTP of 93% in 2023?'],
    ['one of two parts is uncertain', 'OTP of Valley in 2023? And why did it rise?'],
    ['the question has no content words', 'what is it?'],
  ])('are not read if %s', (_, question) => {
    expect(said(question)).toBeNull()
  })

  it('are not read if two rows or two documents give different answers', () => {
    const twice = passages('# Rates\n\n| Room | Price |\n|---|---|\n| Single | 80 |\n| Single | 90 |\n')
    expect(said('price of a single room', twice)).toBeNull()
    const other = passages(
      '# Rail yearbook\n\n## Staff and fleet\n\n| Depot | Staff |\n|---|---|\n| Northgate | 125 |\n| Westmoor | 9 |\n',
      'Later',
    )
    expect(said('How many staff are there at Northgate?', [...rail, ...other])).toBeNull()
  })

  it('use another cell to distinguish rows with the same name', () => {
    const runs = passages(
      '# Runs\n\n| Name | Schedule | Score |\n|---|---|---|\n| Small | 1x | 35.7 |\n| Small | 3x | 38.4 |\n',
    )
    expect(said('score of Small with schedule 3x', runs)).toEqual(['For Small (3x), Score is 38.4.'])
    expect(said('score of Small', runs)).toBeNull()
    expect(said('score of Small with schedule 1x and 3x', runs)).toHaveLength(2)
  })

  const energy = passages(`# Energy

| Site | Kind | Year | Gas (MWh) | Fee |
|---|---|---|---|---|
| Ash | mill | 2021 | 10 | 1 |
| Ash | mill | 2022 | 20 | 2 |
| Elm | farm | 2021 | 30 | 3 |
`)

  it('use a year column if rows with the same name differ only by it', () => {
    expect(said('What was the gas of Ash in 2022?', energy)).toEqual(['For Ash (2022), Gas is 20 MWh.'])
    expect(said('gas of Ash in 2021 and 2022', energy)).toHaveLength(2)
    for (const question of [
      'gas of Ash',
      'gas in 2022',
      'gas of Elm in 2022',
      'gas of Oak in 2021',
      'levy on gas of Ash in 2021',
    ])
      expect(said(question, energy), question).toBeNull()
  })

  it('come from the table about the named things, not from one that only mentions them', () => {
    const trees = passages(
      '# Trees\n\n## Woods\n\n| Wood | Area (ha) |\n|---|---|\n| Low | 40 |\n| High | 50 |\n\n## Ponds\n\n| Pond | Wood | Area (ha) |\n|---|---|---|\n| Duck | Low | 2 |\n| Frog | Low | 3 |\n',
    )
    expect(said('What is the area of Low?', trees)).toEqual(['For Low, Area is 40 ha.'])
    expect(said('What is the area of Duck?', trees)).toEqual(['For Duck, Area is 2 ha.'])
  })

  it('need the whole name of a column, with its numbers, and allow a row name that repeats a word', () => {
    const models = passages(
      '# Models\n\n| | KX-40 | KX-40 P | KX-50 |\n|---|---|---|---|\n| Weight | 19 kg | 20 kg | 25 kg |\n| --pack-size SIZE | 1M | 2M | 3M |\n',
    )
    expect(said('weight of the KX-40 P', models)).toEqual(['For Weight, KX-40 P is 20 kg.'])
    expect(said('weight of the KX-40', models)).toEqual(['For Weight, KX-40 is 19 kg.'])
    expect(said('--pack-size of the KX-50', models)).toEqual(['For --pack-size SIZE, KX-50 is 3M.'])
    expect(said('weight of the KX-60', models)).toBeNull()
  })

  it('use a heading as the measure if the caption repeats it', () => {
    const moons = passages(
      '# Planets\n\n## Moons\n\n### Known moons by year\n\n| Planet | 2019 | 2023 |\n|---|---|---|\n| Saturn | 82 | 146 |\n| Mars | 2 | 2 |\n',
    )
    expect(said('How many moons did Saturn have in 2019?', moons)).toEqual([
      'For Saturn, Known moons by year in 2019 is 82.',
    ])
    expect(said('How many lost moons did Saturn have in 2019?', moons)).toBeNull()
    expect(said('How many years did Saturn have in 2019?', moons)).toBeNull()
  })

  it('find a period by its two years, also if the header writes two digits', () => {
    const crashes = passages(
      '# Crashes\n\n| Airline | crashes_85_99 | crashes_00_14 |\n|---|---|---|\n| Ashair | 3 | 1 |\n| Elmjet | 0 | 2 |\n',
    )
    expect(said('crashes of Ashair between 1985 and 1999', crashes)).toEqual(['For Ashair, crashes_85_99 is 3.'])
    expect(said('crashes of Ashair in 1985', crashes)).toBeNull()
  })
})

describe('a measure that the row names', () => {
  const quoted = passages(`# Energy report

## Data center power usage effectiveness (PUE)

| Place | 2022 |
|---|---|
| Oslo | 1.10 |
| Lima | 1.30 |

## Values from letters

| Metric | Place | 2021 | 2022 | 2023 |
|---|---|---|---|---|
| PUE | Oslo (2nd hall) | — | 1.21 | not told |
| Average load | Lima | not told | not told | 40% |
`)

  it('is read with its row, and may use words from captions of the same measure', () => {
    expect(said('data center PUE efficiency values in Oslo 2nd hall in 2021 and 2022', quoted)).toEqual([
      'The table lists Oslo (2nd hall) without a value for 2021.',
      'For Oslo (2nd hall), PUE in 2022 is 1.21.',
    ])
    expect(said('average load of Lima in 2023', quoted)).toEqual(['For Lima, Average load in 2023 is 40%.'])
    expect(said('data center PUE target in Oslo 2nd hall in 2022', quoted)).toBeNull()
  })
})

describe('operations over a column', () => {
  it.each([
    ['Which line had the lowest OTP in 2021?', 'Harbour (night) has the lowest OTP in 2021: 70%.', 70],
    ['Which depot has the most staff?', 'Northgate and Eastmoor have the highest Staff: 120.', 120],
    ['What is the total staff?', 'The sum of Staff over the 3 rows of the table is 320.', 320],
    ['average fleet age of the depots', 'The average of Fleet age over the 3 rows of the table is 8 years.', 8],
  ])('%s', (question, text, result) => {
    const [answer] = exactCells(question, rail) ?? []
    expect(answer?.text).toBe(text)
    expect(answer?.working?.result).toBe(result)
    expect(answer?.working?.inputs).toHaveLength(3)
  })

  it('count only if the question names both columns, the cell and nothing else', () => {
    const makers = passages(
      '# M\n\n| Maker | Country | Article |\n|---|---|---|\n| Ash | Norway | cap |\n| Ash | Norway | lid |\n| Elm | Spain | cup |\n| Oak | Norway | box |\n',
    )
    expect(said('How many makers have Norway as their country?', makers)).toBeNull()
    expect(said('How many makers have the country Norway?', makers)).toEqual([
      '2 of the 3 in the column Maker have Norway as Country: Ash and Oak.',
    ])
    for (const question of [
      'How many makers are there in Norway?',
      'How many large makers have the country Norway?',
      'makers of the country Norway',
    ])
      expect(said(question, makers), question).toBeNull()
    const [first] = makers
    if (first) expect(said('How many makers have the country Norway?', [{ ...first, page: 1 }])).toBeNull()
  })

  it('work on a column whose name contains the word of another operation', () => {
    const planets = passages('# P\n\n| Planet | Mean heat (K) |\n|---|---|\n| Venus | 464 |\n| Earth | 15 |\n')
    expect(said('What is the highest mean heat?', planets)).toEqual(['Venus has the highest Mean heat: 464 K.'])
    expect(said('What is the highest average mean heat?', planets)).toBeNull()
  })

  it('are not computed if a needed figure is missing, or if a row is the sum of the others', () => {
    expect(said('average OTP in 2022', rail)).toBeNull()
    const total = passages('# Sales\n\n| Shop | Sales |\n|---|---|\n| A1 | 10 |\n| B2 | 20 |\n| All shops | 30 |\n')
    expect(said('Which shop has the highest sales?', total)).toBeNull()
  })

  it('are not computed over a part of a table', () => {
    const rows = Array.from({ length: 60 }, (_, at) => `| Shop${at} | ${at === 7 ? 900 : at} |`).join('\n')
    const parts = chunk(
      { id: 's', collection: 'c', title: 'Sales' },
      { markup: 'markdown', parts: [{ text: `# Sales\n\n| Shop | Profit |\n|---|---|\n${rows}` }] },
      { by: 'tokens', size: 160, overlap: 0 },
    )
    expect(parts.length).toBeGreaterThan(2)
    expect(said('Which shop has the highest profit?', parts)).toEqual(['Shop7 has the highest Profit: 900.'])
    for (const missing of parts)
      expect(
        said(
          'Which shop has the highest profit?',
          parts.filter((part) => part !== missing),
        ),
      ).toBeNull()
    expect(said('profit of Shop3', parts.slice(0, 1))).toEqual(['For Shop3, Profit is 3.'])
  })

  it('are not computed in a document with pages, where a table may continue', () => {
    const paged = rail.map((passage) => ({ ...passage, page: 1, file: 'yearbook.pdf' }))
    expect(said('Which depot has the most staff?', paged)).toBeNull()
    expect(said('OTP of Valley in 2023', paged)).toHaveLength(1)
  })
})
