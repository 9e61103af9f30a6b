import { describe, expect, it } from 'vitest'
import { asEvidence } from '../eval/data'
import { againstProse } from './against-prose'

const lighthouse = asEvidence({
  title: 'Aldmoor lighthouse',
  headingPath: ['Aldmoor lighthouse'],
  text:
    'The Aldmoor lighthouse was built between 1842 and 1846 by the engineer Ruth Hallam. It is 38 metres tall and its light can be seen from 21 nautical miles. ' +
    'Most of the keepers lived in the village. After a storm damaged the lantern room in 1903, the tower was closed for two years. ' +
    'It is the second tallest lighthouse on the coast, after Perran Head. In March 1951 the lantern was restored, and in 1960 the last keeper left.',
})
const bank = asEvidence({
  title: 'Merger',
  headingPath: ['Merger'],
  text:
    'In March 2019 Norvik Bank acquired Lindal Insurance for 4.2 billion euros. Shareholders of Lindal received three Norvik shares for each share they held. ' +
    'The Competition Authority approved the merger without conditions. Norvik Bank employs 12,500 people, while Lindal employed about 3,000. ' +
    'The merger was planned by Anna Torres and praised by Peter Lang. Analysts expect that the deal could lower costs by 8% by 2022, but it will not lower prices. ' +
    'Managers may refuse a transfer only if fewer than three people would remain. The first contract was given to Lang, born in Oslo in 1970. It was announced in May that the contract was lost.',
})
const verdicts = (passage: typeof bank) => (expected: string, claim: string) =>
  expect(againstProse(claim, passage).verdict).toBe(expected)

describe('what prose says of a claim with much the same words', () => {
  it.each([
    ['supported', 'The engineer Ruth Hallam built the Aldmoor lighthouse between 1842 and 1846.'],
    ['unsupported', 'The Aldmoor lighthouse was built between 1842 and 1846 by the architect Ruth Hallam.'],
    ['unsupported', 'A fire damaged the lantern room in 1903.'],
    ['supported', 'Most keepers lived in the village.'],
    ['contradicted', 'All of the keepers lived in the village.'],
    ['contradicted', 'Every keeper lived in the village.'],
    ['supported', 'It is the second tallest lighthouse on the coast.'],
    ['contradicted', 'It is the tallest lighthouse on the coast.'],
    ['unsupported', 'It is the third tallest lighthouse on the coast, after Perran Head.'],
    ['supported', 'Its light can be seen from 21 nautical miles.'],
    ['contradicted', 'Its light can be seen from 38 nautical miles.'],
    ['contradicted', 'The lighthouse is 21 metres tall.'],
    ['contradicted', 'The tower was not closed for two years.'],
    ['unsupported', 'The lantern was restored in 1960 because the last keeper left.'],
    ['supported', 'In March 1951 the lantern was restored.'],
    ['unsupported', 'In May 1951 the lantern was restored.'],
    ['contradicted', 'In 1960 the lantern was restored.'],
  ])('%s: %s', verdicts(lighthouse))

  it.each([
    ['supported', 'Lindal Insurance was acquired by Norvik Bank in March 2019.'],
    ['contradicted', 'In March 2019 Lindal Insurance acquired Norvik Bank for 4.2 billion euros.'],
    ['contradicted', 'Norvik Bank was acquired by Lindal Insurance in March 2019.'],
    ['contradicted', 'Shareholders of Norvik received three Lindal shares for each share they held.'],
    ['supported', 'Shareholders of Lindal received 3 Norvik shares for each share they held.'],
    ['contradicted', 'Shareholders of Lindal received two Norvik shares for each share they held.'],
    ['supported', 'The merger was approved by the Competition Authority without conditions.'],
    ['contradicted', 'The Competition Authority approved the merger with conditions.'],
    ['contradicted', 'The Competition Authority did not approve the merger.'],
    ['contradicted', 'Norvik Bank employs 3,000 people.'],
    ['supported', 'The merger was planned by Anna Torres.'],
    ['contradicted', 'The merger was planned by Peter Lang.'],
    ['contradicted', 'Peter Lang planned the merger.'],
    ['supported', 'The deal could lower costs by 8 percent by 2022.'],
    ['unsupported', 'The deal will lower costs by 8% by 2022.'],
    ['contradicted', 'The deal could lower prices.'],
    ['supported', 'The deal will not lower prices.'],
    ['unsupported', 'Shareholders may refuse a transfer only if fewer than three people would remain.'],
    ['contradicted', 'Managers may refuse a transfer only if more than three people would remain.'],
    ['supported', 'Lang was born in Oslo in 1970.'],
    ['supported', 'The contract was lost.'],
  ])('%s: %s', verdicts(bank))

  it('denies nothing by a name', () => {
    const film = asEvidence({
      title: 'The Man Without Love',
      text: 'The Man Without Love is a silent film. It was first shown in Trieste.',
    })
    expect(againstProse('The Man Without Love was first shown in Trieste.', film).verdict).toBe('supported')
    expect(againstProse('The Man Without Love is not a silent film.', film).verdict).toBe('contradicted')
  })

  it('knows a name that has changed its place in a sentence, and one that has not', () => {
    const text =
      'The airports are included in the code YTO, designated by the Air Union (AIU), and are run by Carla Roe (until 2020) and Tom Birk.'
    const airports = asEvidence({ title: 'Airports', text })
    const society = asEvidence({
      title: 'People',
      text: 'Lena Roe is the president of the Brenholm Film Society. She lives in Aldwick.',
    })
    expect(againstProse('The Brenholm Film Society is the president of Lena Roe.', society)).toMatchObject({
      verdict: 'unsupported',
      reason: '“Lena Roe” stands elsewhere in the passage.',
    })
    expect(
      againstProse('The airports are included in the code YTO, and are run by Carla Roe and Tom Birk.', airports)
        .verdict,
    ).toBe('supported')
  })
})
