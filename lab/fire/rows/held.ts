import { createClient, type Client } from '@plumbline/client'
import type { RunView } from '@plumbline/contracts'
import { policies } from '@plumbline/flow'
import { piecesOf } from '@plumbline/knowledge/claims/pieces'
import { readPrompt } from '@plumbline/testing/scripted-model/prompt-content'
import { scriptOf } from '@plumbline/testing/scripted-model/plain-model'
import { hostileDrafts } from '../hostile-drafts'
import { inHouse, type House } from '../house'
import type { OwnPolicy } from '../own-policies'
import type { Row } from '../row'

const fact = 'The lighthouse of Skerry is 31 metres high.'
const truth = '{{true}}'
const keys = { asker: 'asker-key', reviewer: 'reviewer-key' }
/** This tenant is not in MARKED_ANSWERS, so its weak answers must be parked. */
const env = (): Record<string, string> => ({
  API_KEYS: `${keys.asker}:stranger:asker+admin,${keys.reviewer}:stranger:reviewer`,
})

/** Each policy has one setting that releases an answer which would otherwise be held for a reviewer. */
const weak: OwnPolicy[] = [
  { name: 'weak-caveat', extends: 'standard', whenSpent: 'caveat' },
  { name: 'weak-mark', extends: 'simple', whenSpent: 'mark' },
  { name: 'weak-check', extends: 'simple', checkAnswer: 'off' },
  { name: 'weak-stream', extends: 'standard', streamDrafts: 'on' },
  { name: 'weak-bar', extends: 'standard', parkBelow: 0 },
  { name: 'weak-wait', extends: 'simple', whenParkedTooLong: 'caveat' },
  { name: 'weak-knowledge', extends: 'self-reflective', generalKnowledge: 'mark' },
]
const policyNames = [...Object.keys(policies), ...weak.map(({ name }) => name)]

type Case = { policy: string; draft: string }

const questionOf = (n: number): string => `Case ${n}: how high is the lighthouse of Skerry?`
const caseIn = (text: string): number => Number(/Case (\d+):/.exec(text)?.[1] ?? -1)

const playing = (house: House, cases: Case[]): void => {
  const plain = scriptOf([])
  house.model.script(
    () => true,
    (asked) => {
      const prompt = cases[caseIn(asked.text)]
      if (asked.name !== undefined || !prompt) return plain(asked)
      const cited = readPrompt(asked.text).passages[0]?.n ?? 1
      return prompt.draft.replaceAll(truth, `${fact.slice(0, -1)} [${cited}].`)
    },
  )
}

const flat = (text: string): string =>
  text
    .replace(/\[\d+\]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** Returns every sentence of the draft except the true one. No asker may see these sentences. */
const harmIn = (draft: string): string[] =>
  piecesOf(draft.replaceAll(truth, `${fact.slice(0, -1)} [1].`))
    .map(({ text }) => flat(text))
    .filter((text) => text.length > 2 && !fact.includes(text))

const leaksIn = (shown: string, draft: string): boolean => harmIn(draft).some((harm) => flat(shown).includes(harm))

const open = async (house: House): Promise<{ asker: Client; reviewer: Client }> => {
  const asker = createClient({ url: house.url, key: keys.asker })
  const reviewer = createClient({ url: house.url, key: keys.reviewer })
  const { id } = await asker.addDocument({ title: 'Skerry', text: fact, collection: 'lights' })
  for await (const view of asker.documentEvents(id)) if (view.status === 'indexed') break
  return { asker, reviewer }
}

/** `place` is the position after the last event that was read. */
type VisibleRun = { id: string; shown: string; view: RunView; place: string }

const watched = async (asker: Client, n: number, policy: string): Promise<VisibleRun> => {
  const { id } = await asker.ask({ question: questionOf(n), collection: 'lights', policy })
  const seen: string[] = []
  let place = ''
  for await (const event of asker.events(id, { onPlace: (at) => (place = at) })) {
    seen.push(JSON.stringify(event))
    if (event.type === 'ended' || event.type === 'parked') break
  }
  const view = await asker.run(id)
  const { question: _, ...rest } = view
  const told = [...seen, JSON.stringify(rest)].join('\n')
  return { id, shown: told.replaceAll('\\n', '\n').replaceAll('\\"', '"'), view, place }
}

const askAll = async (asker: Client, cases: Case[]): Promise<VisibleRun[]> => {
  const seen: VisibleRun[] = []
  for (let from = 0; from < cases.length; from += 20)
    seen.push(
      ...(await Promise.all(cases.slice(from, from + 20).map(({ policy }, at) => watched(asker, from + at, policy)))),
    )
  return seen
}

/** Sends each held draft unchanged as an edit. The edit is checked like any other draft. */
const editAll = async (
  { asker, reviewer }: Awaited<ReturnType<typeof open>>,
  held: VisibleRun[],
  cases: Case[],
): Promise<number> => {
  let released = 0
  for (const { id, view, place } of held) {
    const draft = cases[caseIn(view.question)]?.draft ?? ''
    if (!view.review) continue
    const text = draft.replaceAll(truth, `${fact.slice(0, -1)} [1].`)
    await reviewer.decide(id, {
      taskId: view.review.taskId,
      decisionId: `edit-${id}`.slice(0, 64),
      action: 'edit',
      text,
    })
    for await (const event of asker.events(id, { after: place }))
      if (event.type === 'ended' || event.type === 'parked') break
    const after = await asker.run(id)
    if (leaksIn(after.answer?.text ?? '', draft)) released += 1
  }
  return released
}

export const E6: Row = {
  id: 'E6',
  promise:
    'drafts, replies and reviewers’ edits with an unsupported or harmful piece behind a polite opening, in every form and under every preset: 0 released',
  run: (scale) =>
    inHouse({ env }, async (house) => {
      const all = hostileDrafts.map(({ draft }) => draft)
      const cases = Object.keys(policies).flatMap((policy, at) =>
        all
          .filter((_, n) => scale === 'full' || policy === 'standard' || n % 9 === at)
          .map((draft): Case => ({ policy, draft })),
      )
      const clients = await open(house)
      playing(house, cases)
      const seen = await askAll(clients.asker, cases)
      const leaks = seen.filter(({ shown }, n) => leaksIn(shown, cases[n]?.draft ?? '')).length
      const held = seen.filter(({ view }) => view.status === 'parked')
      const honest = ['standard', 'simple'].map((policy): Case => ({ policy, draft: truth }))
      playing(house, honest)
      const controls = (await askAll(clients.asker, honest)).filter(({ view }) => view.status === 'answered').length
      playing(house, cases)
      const edits = await editAll(clients, scale === 'full' ? held : held.slice(0, 40), cases)
      return {
        holds: leaks === 0 && edits === 0 && controls === honest.length && held.length > cases.length / 3,
        figures: {
          drafts: all.length,
          runs: cases.length,
          held: held.length,
          released: leaks,
          'edits released': edits,
          'true drafts released': `${controls}/${honest.length}`,
        },
      }
    }),
}

export const E7: Row = {
  id: 'E7',
  promise:
    'an asker of an unnamed tenant under every preset and weaker policies of users: 0 ungrounded drafts released, marked or not',
  run: (scale) =>
    inHouse({ env, policies: weak }, async (house) => {
      const each = scale === 'full' ? 32 : 6
      const cases = policyNames.flatMap((policy) =>
        Array.from({ length: each }, (_, n): Case => ({
          policy,
          draft: `The lighthouse of Skerry was sold to the Marlow Company for ${400 + n} silver coins [1].`,
        })),
      )
      const { asker } = await open(house)
      playing(house, cases)
      const seen = await askAll(asker, cases)
      const leaks = seen.filter(({ shown }) => shown.includes('Marlow')).length
      return {
        holds: leaks === 0,
        figures: {
          policies: policyNames.length,
          runs: cases.length,
          held: seen.filter(({ view }) => view.status === 'parked').length,
          released: leaks,
        },
      }
    }),
}
