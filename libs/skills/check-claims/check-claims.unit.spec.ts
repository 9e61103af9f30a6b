import { describe, expect, it } from 'vitest'
import type { Claim } from '@plumbline/contracts'
import { asEvidence } from '../eval/data'
import { harbours } from '../eval/harbours'
import type { Call } from '../skill'
import { checkClaimsContract } from './check-claims.contract'
import { offlineCheckClaims } from './check-claims.offline'
import { kindOf } from './kinds'

checkClaimsContract('offline', () => offlineCheckClaims)

const call: Call = { signal: new AbortController().signal, tier: 'small', temperature: 0 }
const citations = harbours.map(({ id }, at) => ({ n: at + 1, passageId: id }))
const check = (text: string): Promise<Claim[]> =>
  offlineCheckClaims({ question: 'q', text, citations, evidence: harbours }, call)
const verdict = async (text: string): Promise<string> => (await check(text)).map((claim) => claim.verdict).join(' ')

describe('claims about tables', () => {
  it('tells where a misplaced figure stands', async () => {
    const [claim] = await check('The SPU of Aldwick in 2021 was 12% [1].')
    expect(claim?.reason).toBe(
      '“Table 1. Shore power use (SPU) by harbour” gives 14% at Aldwick in 2021 instead. 12 stands at Aldwick in 2020.',
    )
  })
  it.each([
    ['supported', 'Shore power use rose from 12% in 2020 to 14% in 2021 in Aldwick [1].'],
    ['contradicted', 'Shore power use fell from 12% in 2020 to 14% in 2021 in Aldwick [1].'],
    ['supported', 'In 2020 and 2021, the SPU of Aldwick was 12% and 14% [1].'],
    ['contradicted', 'In 2020 and 2021, the SPU of Aldwick was 14% and 12% [1].'],
    ['supported', 'The SPU of Aldwick (12%) and New Corvey (40%) in 2020 [1].'],
    ['contradicted', 'The SPU of Aldwick (40%) and New Corvey (12%) in 2020 [1].'],
    ['supported', 'New Corvey had the highest SPU in 2022 [1].'],
    ['contradicted', 'Aldwick had the highest SPU in 2022 [1].'],
    ['contradicted', 'New Corvey had the highest SPU in 2022: 40% [1].'],
    ['supported', 'SPU of New Corvey (44%) in 2022 is higher than that of Aldwick (19%) [1].'],
    ['contradicted', 'SPU of Aldwick (19%) in 2022 is higher than that of New Corvey (44%) [1].'],
    ['supported', 'The crane type of Brenholm is mobile [2].'],
    ['contradicted', 'The crane type of Brenholm is gantry [2].'],
    ['contradicted', 'The mean dwell time of Aldwick is 31.5% [2].'],
    ['contradicted', 'New Corvey has 12 cranes [2].'],
    ['supported', 'The mean dwell time of Aldwick is about 32 hours [2].'],
    ['contradicted', 'The mean dwell time of Aldwick is 32 hours [2].'],
    ['unsupported', 'The SPU of Farrow in 2021 was 14% [1].'],
    ['unsupported', 'The SPU of Aldwick in 2018 was 14% [1].'],
    ['supported', 'No shore power use is reported for Aldwick (east quay) in 2022 [1].'],
    ['supported', 'The documents do not report the SPU of Farrow [1].'],
    ['contradicted', 'The documents do not report the mean dwell time of Aldwick [1].'],
  ])('%s: %s', async (expected, text) => expect(await verdict(text)).toBe(expected))
})

describe('claims that quote a header with figures in its unit', () => {
  const text = '| Planet | Mass (10^24 kg) |\n|---|---|\n| Jupiter | 1,898 |\n| Saturn | 568 |'
  const planets = { ...harbours[0]!, id: 'planets', title: 'Planets', headingPath: ['Size and mass'], text }
  const verdicts = async (claim: string): Promise<string[]> =>
    (
      await offlineCheckClaims(
        { question: 'q', text: claim, citations: [{ n: 1, passageId: 'planets' }], evidence: [planets] },
        call,
      )
    ).map(({ verdict }) => verdict)
  it.each([
    ['supported', 'Mass (10^24 kg) of Jupiter is 1,898 [1].'],
    ['contradicted', 'Mass (10^24 kg) of Jupiter is 1,889 [1].'],
    ['contradicted', 'Mass (10^24 kg) of Jupiter is 568 [1].'],
    ['contradicted', 'Mass (10^24 kg) of Saturn is 10 [1].'],
  ])('%s: %s', async (expected, claim) => expect(await verdicts(claim)).toEqual([expected]))
})

describe('claims about prose', () => {
  it.each([
    ['supported', 'There are three kinds of pilots: sea pilots, basin pilots and dock pilots [3].'],
    ['contradicted', 'Pilots work during storms, because the boarding ladder can be used then [3].'],
    ['unsupported', 'Boarding lasts 20–30 minutes in calm weather [3], and it costs nothing at night.'],
  ])('%s: %s', async (expected, text) => expect(await verdict(text)).toBe(expected))
  it.each([
    ['contradicted', 'The first quay of Aldwick was not found in 1874 by the engineer Maria Lund [1].'],
    ['supported', 'It is not reported who found the second quay of Aldwick [1].'],
  ])('holds a denial that is worded like an absence to its passage, %s: %s', async (expected, claim) => {
    const text = 'The first quay of Aldwick was found in 1874 by the engineer Maria Lund.'
    const given = {
      question: 'q',
      text: claim,
      citations: [{ n: 1, passageId: 'p1' }],
      evidence: [asEvidence({ text })],
    }
    expect((await offlineCheckClaims(given, call))[0]?.verdict).toBe(expected)
  })
  it('names the passage that would have carried it', async () =>
    expect((await check('Boarding lasts 20–30 minutes in calm weather [1].'))[0]?.reason).toMatch(
      /Another passage of “Harbour report” does, but it is not cited/,
    ))
  it('counts several citations of one sentence', async () =>
    expect(await verdict('Boarding lasts 20–30 minutes in calm weather [1][3].')).toBe('supported'))
  it('does not judge style', async () =>
    expect((await check('Here is what I found: I hope this helps!')).map(({ kind }) => kind)).toEqual(['style']))
})

describe('claims that need their question', () => {
  const text =
    'The Northern Star is a monthly paper that was founded in Aldwick in 1921. It is printed on green paper. ' +
    'The Harbour Bell is a weekly paper that was founded in 1887 and is owned by the pilots. Its editor won the Quay Prize in 1990.'
  const papers = { ...harbours[0]!, id: 'papers', title: 'Papers', headingPath: ['Papers'], text }
  const verdicts = async (question: string, claim: string): Promise<string> =>
    (
      await offlineCheckClaims(
        { question, text: `${claim} [1].`, citations: [{ n: 1, passageId: 'papers' }], evidence: [papers] },
        call,
      )
    )
      .map(({ kind, verdict: given }) => `${kind === 'style' ? 'style ' : ''}${given}`)
      .join(' ')
  it.each([
    ['supported', 'Which was founded first, The Northern Star or The Harbour Bell?', 'The Harbour Bell'],
    [
      'supported',
      'Which was founded first, The Northern Star or The Harbour Bell?',
      'The Harbour Bell was founded first',
    ],
    [
      'contradicted',
      'Which was founded first, The Northern Star or The Harbour Bell?',
      'The Northern Star was founded first',
    ],
    ['supported', 'Which is younger, The Northern Star or The Harbour Bell?', 'The Northern Star'],
    ['supported', 'Which is owned by the pilots: The Northern Star or The Harbour Bell?', 'The Harbour Bell'],
    [
      'contradicted',
      'Which is owned by the pilots: The Northern Star or The Harbour Bell?',
      'The Northern Star is owned by the pilots',
    ],
    [
      'supported',
      'Which was founded first, The Northern Star or The Harbour Bell?',
      'The Northern Star was founded in Aldwick in 1921',
    ],
    [
      'supported',
      'Which was founded first, The Northern Star or The Harbour Bell?',
      'The Northern Star is a monthly paper',
    ],
    ['supported', 'Are The Northern Star and The Harbour Bell both papers?', 'Yes'],
    ['contradicted', 'Are The Northern Star and The Harbour Bell both papers?', 'No'],
    ['contradicted', 'Are The Northern Star and The Harbour Bell both weekly?', 'Yes'],
    ['supported', 'Is The Harbour Bell owned by the pilots?', 'Yes'],
    ['unsupported', 'Do The Northern Star and The Harbour Bell have the same owner?', 'Yes'],
    [
      'contradicted',
      'When did the editor win the Quay Prize?',
      'The editor of The Harbour Bell won the Quay Prize in 1921',
    ],
    ['supported', 'When did the editor win the Quay Prize?', 'Its editor won the Quay Prize in 1990'],
  ])('%s: %s %s', async (expected, question, claim) => expect(await verdicts(question, claim)).toBe(expected))

  it('are surer the closer they keep to the words of the passage', async () => {
    const sure = async (claim: string): Promise<number> =>
      (await offlineCheckClaims({ question: 'q', text: `${claim} [3].`, citations, evidence: harbours }, call))[0]
        ?.confidence ?? 0
    const copied = await sure('Boarding lasts 20–30 minutes in calm weather')
    const turned = await sure('In calm weather, a pilot needs 20–30 minutes for boarding')
    expect(copied).toBeGreaterThan(turned)
    expect(copied).toBeGreaterThan(0.9)
  })
})

describe('kinds of claims', () => {
  it.each([
    ['number', 'It was 12%.'],
    ['fact', 'It is a harbour.'],
    ['order', 'First, the pilot boards, then the ship enters.'],
    ['cause', 'It is closed because of a storm.'],
    ['inference', 'Therefore it is likely closed.'],
    ['style', 'Here are the figures:'],
  ])('%s: %s', (kind, text) => expect(kindOf(text)).toBe(kind))
})
