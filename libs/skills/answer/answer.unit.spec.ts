import { describe, expect, it } from 'vitest'
import type { Evidence } from '@plumbline/contracts'
import { offlineCheckClaims } from '../check-claims/check-claims.offline'
import { dwellTime, harbours, pilots, shorePower } from '../eval/harbours'
import type { Call } from '../skill'
import { answerContract } from './answer.contract'
import { offlineAnswer } from './answer.offline'

answerContract('offline', () => offlineAnswer)

const call: Call = { signal: new AbortController().signal, tier: 'small', temperature: 0 }
const ask = async (
  question: string,
  evidence: Evidence[] = harbours,
  more: Partial<Parameters<typeof offlineAnswer>[0]> = {},
): Promise<string> => {
  const steps = [{ question, passageIds: evidence.map(({ id }) => id) }]
  return (await offlineAnswer({ question, steps, evidence, maxSentences: 6, ...more }, call)).text
}

describe('answers from tables', () => {
  it.each([
    ['What was the SPU of Aldwick in 2022?', 'Shore power use (SPU) of Aldwick in 2022 was 19% [1].'],
    ['spu of new corvey in 2020', 'Shore power use (SPU) of New Corvey in 2020 was 40% [1].'],
    [
      'What was the shore power use at ald-2 in 2021?',
      'Shore power use (SPU) of Aldwick (east quay) in 2021 was 31% [1].',
    ],
    [
      'What was the shore power use of Brenholm in 2021?',
      'Shore power use (SPU) of Brenholm, Westland in 2021 was 8% [1].',
    ],
    ['What is the mean dwell time of Aldwick?', 'Mean dwell time (hours) of Aldwick is 31.5 [1].'],
    ['What crane type does Brenholm use?', 'Crane type of Brenholm, Westland: mobile [1].'],
    [
      'Which harbour had the highest SPU in 2022?',
      'New Corvey had the highest shore power use (SPU) in 2022: 44% [1].',
    ],
    [
      'Which harbour has the lowest mean dwell time?',
      'Brenholm, Westland had the lowest mean dwell time (hours): 18.2 [1].',
    ],
    ['In which year was the SPU of Aldwick highest?', 'Shore power use (SPU) of Aldwick was highest in 2022: 19% [1].'],
  ])('%s', async (question, text) => expect(await ask(question)).toBe(text))

  it.each([
    'What was the SPU of Aldwick (east quay) in 2020?',
    'What was the SPU of Aldwick (east quay) in 2022?',
    'What was the SPU of Aldwick in 2019?',
    'What was the SPU of Corvey in 2020?',
    'What was the SPU of Aldwick west quay in 2021?',
    'What was the average SPU of Aldwick in 2021?',
    'How many cranes does New Corvey have?',
    'What is the mean dwell time of Dunmere?',
  ])('says that nothing is reported: %s', async (question) => {
    const text = await ask(question)
    expect(text).toMatch(/is not reported in the documents \[\d\]\.$/)
    expect(text).not.toMatch(/ was \d/)
  })

  it('answers every part, with what each leaves out', async () =>
    expect(await ask("Retrieve Aldwick's SPU in 2020 and Brenholm's in 2021. Also give its number of cranes.")).toBe(
      'Shore power use (SPU) of Aldwick in 2020 was 12% [1]. Shore power use (SPU) of Brenholm, Westland in 2021 was 8% [1]. Cranes of Brenholm, Westland is 4 [2].',
    ))

  it('says which is higher and how a figure moved', async () => {
    expect(await ask('Is the SPU of Aldwick higher than that of New Corvey in 2021?')).toContain(
      'New Corvey (38%) in 2021 is higher than that of Aldwick (14%) [1].',
    )
    expect(await ask('How did the SPU of New Corvey change between 2020 and 2021?')).toContain(
      'fell from 40% in 2020 to 38% in 2021 [1].',
    )
  })

  it('lets years of a row share a sentence when room is short', async () =>
    expect(
      await ask('What was the SPU of Aldwick and New Corvey in 2020, 2021 and 2022?', harbours, { maxSentences: 2 }),
    ).toBe(
      'Shore power use (SPU) of Aldwick was 12% in 2020, 14% in 2021 and 19% in 2022 [1]. Shore power use (SPU) of New Corvey was 40% in 2020, 38% in 2021 and 44% in 2022 [1].',
    ))

  it('finds a part in the evidence of another step', async () => {
    const steps = [{ question: 'What was the SPU of Aldwick in 2021?', passageIds: [dwellTime.id] }]
    expect(
      (await offlineAnswer({ question: 'q', steps, evidence: [dwellTime, shorePower], maxSentences: 3 }, call)).text,
    ).toContain('14%')
  })
})

describe('a false premise', () => {
  it.each([
    [
      'Why is the mean dwell time of Aldwick 12 hours?',
      'Other than the question says, mean dwell time (hours) of Aldwick is 31.5 [1].',
    ],
    [
      'Why was the first quay of Aldwick built in 1931?',
      'Other than the question says, the first quay of Aldwick was built in 1874 by the engineer Maria Lund [1].',
    ],
  ])('is put right: %s', async (question, text) => {
    expect(await ask(question)).toBe(text)
    const { citations } = await offlineAnswer({ question, steps: [], evidence: harbours, maxSentences: 3 }, call)
    const claims = await offlineCheckClaims({ question, text, citations, evidence: harbours }, call)
    expect(claims.map(({ verdict }) => verdict)).toEqual(['supported'])
  })
  it('is not put right by a figure of something else', async () => {
    expect(await ask('Why is the mean time of Aldwick 12 metres?')).not.toMatch(/^Other than/)
  })
  it('is not seen where the documents say the same', async () => {
    expect(await ask('Why is the mean dwell time of Aldwick 31.5 hours?')).not.toMatch(/^Other than/)
    expect(await ask('Why was the first quay of Aldwick built in 1874?')).not.toMatch(/^Other than/)
  })
})

describe('rows picked by a cell', () => {
  const ships = {
    ...dwellTime,
    id: 'ships',
    headingPath: ['Harbour report', 'Ships'],
    text: `| Ship | Home harbour | Kind | Built by | Ice class |
|---|---|---|---|---|
| Alma | Aldwick | tug | Lund & Co. | yes |
| Bertha | New Corvey | ferry | Corvey Yard | no |
| Carla | Aldwick | ferry | Lund & Co. | no |
| Dora | Aldwick and Brenholm | tug | Corvey Yard | yes |`,
  }
  it.each([
    [
      'Which ships belong to the home harbour Aldwick?',
      'The ships whose home harbour is Aldwick are Alma, Carla and Dora [1].',
    ],
    ['Which ships are ferries?', 'The ships whose kind is ferry are Bertha and Carla [1].'],
    ['Which ships were built by Lund & Co.?', 'The ships built by Lund & Co. are Alma and Carla [1].'],
    ['List the ships without ice class.', 'The ships without ice class are Bertha and Carla [1].'],
    ['Which ship has its home harbour in New Corvey?', 'The ship whose home harbour is New Corvey is Bertha [1].'],
  ])('%s', async (question, text) => expect(await ask(question, [ships])).toBe(text))
  it('are left alone where a condition was not understood', async () =>
    expect(await ask('Which ferries of Aldwick were painted green?', [ships])).not.toMatch(/^The ships/))
  it('stand a check that knows all of them', async () => {
    const verdicts = async (text: string) =>
      (
        await offlineCheckClaims(
          { question: 'q', text, citations: [{ n: 1, passageId: 'ships' }], evidence: [ships] },
          call,
        )
      ).map(({ verdict }) => verdict)
    expect(await verdicts('The ships whose kind is ferry are Bertha and Carla [1].')).toEqual(['supported'])
    expect(await verdicts('The ships whose kind is ferry are Alma and Carla [1].')).toEqual(['contradicted'])
    expect(await verdicts('The ships whose kind is ferry are Bertha [1].')).toEqual(['contradicted'])
  })
})

describe('answers from prose', () => {
  it('lets a row do what its header says', async () => {
    const text = '| Stage | Lasts (calm sea) |\n|---|---|\n| Boarding | 20–30 minutes |\n| Mooring | 5 minutes |'
    expect(await ask('How long does boarding last?', [{ ...pilots, text }])).toBe(
      'Boarding lasts 20–30 minutes (calm sea) [1].',
    )
  })
  it('tells of both sides of a comparison', async () => {
    const text =
      'The short form is for visits of a day. The long form is for ships that stay over winter. Both are free.'
    const told = await ask('What is the difference between the short and the long form?', [
      { ...pilots, text, headingPath: ['Forms'] },
    ])
    expect(told).toContain('visits of a day')
    expect(told).toContain('stay over winter')
  })
  it('keeps a list together', async () => {
    const text = await ask('What are the three kinds of pilots?')
    for (const kind of ['Sea pilots', 'Basin pilots', 'Dock pilots']) expect(text).toContain(kind)
  })
  it('gives reasons', async () =>
    expect(await ask('Why do pilots not work during storms?')).toContain(
      'because the boarding ladder cannot be used then',
    ))
  it('tells what something is', async () =>
    expect(await ask('What is SPU?')).toContain('the share of berthed ships that take power from land'))
  it.each([
    ['When does the office open on Sundays?', 'The office opens at 10:30 on Sundays.'],
    ['When is the boom closed?', 'The boom is closed as soon as the flag is up.'],
    ['When are the ropes looked at?', 'The ropes are looked at every Tuesday.'],
  ])('tells when: %s', async (question, text) =>
    expect(await ask(question, [{ ...pilots, text: `${text} Both are free.`, headingPath: ['Hours'] }])).toBe(
      `${text.slice(0, -1)} [1].`,
    ),
  )
  it('tells no time where none is said', async () =>
    expect(
      await ask('When is the boom closed?', [
        { ...pilots, text: 'The boom is closed by the master. Both are free.', headingPath: ['Hours'] },
      ]),
    ).toMatch(/^The documents do not answer/))
  it('answers the same way twice', async () =>
    expect(await ask('Who built the first quay?')).toBe(await ask('Who built the first quay?')))
  it('lets guidance weigh in', async () => {
    const text = await ask('What do pilots do?', [pilots], {
      guidance: 'say which pilots bring ships to their berth',
      maxSentences: 1,
    })
    expect(text).toContain('Dock pilots')
  })
  it('says that it is not answered', async () =>
    expect(await ask('Which wine is served on board?')).toMatch(
      /^The documents do not answer the question “Which wine is served on board”/,
    ))
})
