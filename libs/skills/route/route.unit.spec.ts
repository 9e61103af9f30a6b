import { describe, expect, it } from 'vitest'
import type { CollectionCard } from './route'
import { offlineRoute } from './route.offline'
import { routeContract } from './route.contract'

routeContract('offline', () => offlineRoute)

const call = { signal: new AbortController().signal, tier: 'small', temperature: 0 } as const
const trains = {
  name: 'trains',
  description:
    'Punctuality and ridership of the regional railway by line and year (2018, 2019, 2020): delays, cancellations, passengers, ticket revenue, energy consumption per station.',
}
const where = async (question: string, collections: CollectionCard[] = [trains], webOn = false) =>
  (await offlineRoute({ question, collections, webOn }, call)).to

describe('offline route', () => {
  it.each([
    ['research', 'How many passengers used the Bergen line in 2019?'],
    ['research', 'Which line had the highest delays in 2020?'],
    ['research', 'What is ticket revenue?'],
    ['research', 'How did delays on the Voss line change between 2018 and 2020?'],
    ['research', 'bergen line delays 2019'],
    ['research', 'When did the operator cancel trains, and why did it do so?'],
    ['clarify', 'What about the other line?'],
    ['clarify', 'How much was it?'],
    ['clarify', 'Tell me more.'],
    ['clarify', 'Compare them.'],
    ['clarify', 'What was the energy consumption of that station?'],
    ['clarify', 'What was the ticket revenue?'],
    ['clarify', 'What was the ticket revenue in Bergen?'],
    ['clarify', 'Show me the value for 2019.'],
    ['decline', 'What will the weather be like tomorrow?'],
    ['decline', 'Translate this letter to Spanish'],
    ['decline', 'What is 12 times 14?'],
    ['reply', 'hi there'],
    ['reply', 'ok thanks'],
    ['reply', 'Who made you?'],
    ['research', 'Hello, which line had the most delays in 2019?'],
  ])('%s: %s', async (to, question) => expect(await where(question)).toBe(to))

  it('declines nothing for a description that was made of headings: it leaves much out', async () => {
    const description = Array.from(
      { length: 80 },
      (_, at) => `Heading${String.fromCharCode(97 + (at % 26))}${at}`,
    ).join('; ')
    const asked = 'Whose approval do flights need?'
    expect(await where(asked, [{ name: 'papers', description }])).toBe('decline')
    expect(await where(asked, [{ name: 'papers', description, made: 'part' }])).toBe('research')
    const both = await offlineRoute(
      {
        question: 'Which line had the highest delays in 2020?',
        collections: [trains, { name: 'papers', description, made: 'part' }],
        webOn: false,
      },
      call,
    )
    expect(both.collections).toEqual(['trains', 'papers'])
  })

  it('declines everyday talk alone where all headings are known: texts tell of more than these', async () => {
    const description = Array.from(
      { length: 80 },
      (_, at) => `Heading${String.fromCharCode(97 + (at % 26))}${at}`,
    ).join('; ')
    const to = (asked: string) => where(asked, [{ name: 'papers', description, made: 'whole' }])
    expect([
      await to('Whose approval do flights need?'),
      await to('How deep is the Birk?'),
      await to('What is the weather in Bergen?'),
    ]).toEqual(['research', 'research', 'decline'])
  })

  it.each([
    ['research', 'Are flights reimbursed?', 'The handbook of Acme and the minutes of its board.'],
    ['research', 'What is the limit for a hotel?', 'The handbook of Acme and the minutes of its board.'],
    ['decline', 'Who won the football cup?', 'The handbook of Acme and the minutes of its board.'],
    [
      'decline',
      'Are flights reimbursed?',
      `Stars. ${Array.from({ length: 60 }, (_, at) => `star${String.fromCharCode(97 + (at % 26))}${at}`).join(' ')}`,
    ],
  ])('%s: %s: the thinner a description, the less it rules out', async (to, question, description) =>
    expect(await where(question, [{ name: 'papers', description }])).toBe(to),
  )

  it('takes two thin descriptions for no full one', async () => {
    const half = (letter: string) => ({
      name: letter,
      description: Array.from({ length: 40 }, (_, at) => `${letter}${String.fromCharCode(97 + (at % 26))}${at}`).join(
        ' ',
      ),
    })
    expect(await where('How deep is the Birk?', [half('x')])).toBe('research')
    expect(await where('How deep is the Birk?', [half('x'), half('y')])).toBe('research')
    expect(
      await where('How deep is the Birk?', [
        { name: 'all', description: `${half('x').description} ${half('y').description}` },
      ]),
    ).toBe('decline')
  })

  it('takes an everyday word seriously where the collection is about it', async () =>
    expect(
      await where('What was the weather in Bergen in 2019?', [
        { name: 'met', description: 'Weather records of Norwegian stations.' },
      ]),
    ).toBe('research'))

  it('sends what the collections do not cover to the web where that is on', async () => {
    expect(await where('Who won the football cup in 2019?', [trains], true)).toBe('web')
    expect(await where('Who won the football cup in 2019?', [trains], false)).toBe('decline')
  })

  it('reads several thin collections', async () => {
    const { collections } = await offlineRoute(
      {
        question: 'Which form do I fill in?',
        collections: [
          { name: 'a', description: 'Papers.' },
          { name: 'b', description: 'More papers.' },
        ],
        webOn: false,
      },
      call,
    )
    expect(collections).toEqual(['a', 'b'])
  })
})

describe('offline route: modes', () => {
  const to = async (mode: 'index-or-web' | 'retrieve-or-not', question: string, collections = [trains]) =>
    (await offlineRoute({ question, collections, webOn: false, mode }, call)).to

  it.each([
    ['research', 'How many passengers used the Bergen line in 2019?'],
    ['research', 'What was the ticket revenue?'],
    ['web', 'Who won the football cup in 2019?'],
    ['web', 'Hello!'],
    ['web', 'What is 12 times 14?'],
  ])('index or web: %s: %s', async (wanted, question) => expect(await to('index-or-web', question)).toBe(wanted))
  it('leaves everything to the web where there is no collection', async () =>
    expect(await to('index-or-web', 'What is ticket revenue?', [])).toBe('web'))

  it.each([
    ['research', 'How many passengers used the Bergen line in 2019?'],
    ['research', 'Who won the football cup in 2019?'],
    ['reply', 'Thank you!'],
    ['reply', 'Write a poem about spring.'],
    ['continue', 'And what about the second one?'],
  ])('retrieve or not: %s: %s', async (wanted, question) => expect(await to('retrieve-or-not', question)).toBe(wanted))
  it('has nothing to retrieve from where there is no collection', async () =>
    expect(await to('retrieve-or-not', 'What is ticket revenue?', [])).toBe('decline'))
})

describe('offline route: a property of nothing', () => {
  const sample = [
    { name: 'sample', description: 'The planets of the solar system: size, mass and moons, missions by year.' },
  ]
  it.each([
    ['What is the mass?', 'clarify'],
    ['What is the mass of Mars?', 'research'],
    ['Which planet has the largest mass?', 'research'],
  ] as const)('%s → %s', async (question, to) => {
    const routed = await offlineRoute(
      { question, collections: sample, webOn: false },
      { signal: new AbortController().signal, tier: 'small', temperature: 0 },
    )
    expect(routed.to).toBe(to)
  })
})
