import { setTimeout as sleep } from 'node:timers/promises'
import { answer } from '@plumbline/testing/model-server/answer'
import type { ModelServer } from '@plumbline/testing/model-server/model-server'
import type { ModelRequest } from '@plumbline/testing/model-server/request'
import { checkBy, honestly } from '@plumbline/testing/scripted-model/checks'
import { plainModel } from '@plumbline/testing/scripted-model/plain-model'
import { promptTo, readPrompt } from '@plumbline/testing/scripted-model/prompt-content'

export const ferry =
  'The Skerry ferry sails at 08:00. It carries 240 passengers. A return ticket costs 12 euros. Dogs travel free. Bicycles cost 3 euros.'
/** The first query does not find this document, because it shares no word with the question. */
export const notice = 'Suspension notice: from Monday on, nothing departs at 08:00.'

const sails = 'The Skerry ferry sails at 08:00 [1].'
const carries = 'It carries 240 passengers [1].'
const costs = 'A return ticket costs 12 euros [1].'
const dogs = 'Dogs travel free [1].'
const bikes = 'Bicycles cost 3 euros [1].'
const breakfast = 'Breakfast is included in the price of every ticket [1].'
const otherTime = 'The Skerry ferry sails at 09:15 [1].'
const takenBack = 'In truth, the Skerry ferry never sails at 08:00 [1].'
const elephants = 'It carries:\n\n- 240 passengers [1]\n- 12 elephants [1]'

/** Words of sentences that no document supports. No asker may read them before a release. */
export const harm = /breakfast|09:15|never sails|elephants/i
export const edited = costs

/** `first`: the first draft. `later`: every draft after a failed check, or after the asker has read a part. */
type Writing = { first: string; later: string; policy?: string; stallAfter?: number; isDoubtful?: boolean }
const told = (...parts: string[]): string => parts.join(' ')
export const writings = {
  'stays true': { first: told(sails, carries, costs, dogs, bikes), later: told(costs, dogs, bikes) },
  'invents once': { first: told(sails, carries, breakfast, costs, dogs), later: dogs },
  'invents always': { first: told(sails, carries, breakfast, dogs), later: told(costs, breakfast) },
  'invents until nobody decides': { first: told(sails, dogs, breakfast, bikes), later: breakfast, policy: 'brief' },
  contradicts: { first: told(sails, costs, otherTime, dogs), later: otherTime },
  'takes back': { first: told(sails, carries, takenBack, dogs), later: told(costs, dogs) },
  lists: { first: [sails, elephants, told(dogs, bikes)].join('\n\n'), later: told(sails, carries, dogs) },
  'is doubted later': { first: told(sails, breakfast, carries, dogs), later: breakfast, isDoubtful: true },
  'writes nothing more': { first: told(sails, carries, costs, dogs), later: dogs, policy: 'hasty', stallAfter: 17 },
} satisfies Record<string, Writing>
export type WritingName = keyof typeof writings

type Verdict = 'prompt' | 'late' | 'lost'
/** The first delay ends soon after the draft. The second ends after the run has stopped waiting for the verdict. */
const lateMs = [1_500, 3_000]

export type Case = { writing: WritingName; verdict: Verdict }
export const writingOf = ({ writing }: Case): Writing => writings[writing]

export const questionOf = (n: number): string => `Case ${n}: when does the Skerry ferry sail?`
const caseIn = (text: string): number => Number(/Case (\d+):/.exec(text)?.[1] ?? -1)

const isDraft = ({ kind, name }: ModelRequest): boolean => kind === 'chat' && name === undefined

/** Contradicts the sentence about the time only if the notice is in the prompt. */
const readsNotice = (asked: ModelRequest): object | undefined => {
  const shown = readPrompt(promptTo(asked))
  const read = shown.passages.find(({ body }) => body.includes(notice))
  if (!read) return undefined
  const isOld = (claim: number): boolean =>
    shown.numbered('claim').some(({ n, text }) => n === claim && text.includes('sails at 08:00'))
  const claims = checkBy(honestly)(shown).claims.map((each) =>
    isOld(each.claim)
      ? { ...each, verdict: 'contradicted', reason: 'The notice says otherwise.', passage: read.n }
      : each,
  )
  return { claims }
}

const draftOf = (asked: ModelRequest, { first, later, stallAfter }: Writing) => {
  const { one, passages } = readPrompt(promptTo(asked))
  const isLater = one('sent') !== '' || one('did not stand') !== ''
  const cited = passages.find(({ body }) => body.includes(sails.slice(0, 20)))?.n ?? 1
  const text = (isLater ? later : first).replaceAll('[1]', `[${cited}]`)
  return stallAfter === undefined || isLater ? answer.text(text) : answer.trickle({ everyMs: 25, stallAfter }, text)
}

export const playWriter = (model: ModelServer, cases: Case[]): void => {
  model.script(
    () => true,
    async (asked) => {
      const n = caseIn(asked.text)
      const one = cases[n]
      if (!one) return plainModel(asked)
      const writing = writingOf(one)
      if (isDraft(asked)) return draftOf(asked, writing)
      if (asked.name === 'check-part') {
        if (one.verdict === 'lost') return answer.hang()
        if (one.verdict === 'late') await sleep(lateMs[n % 2])
      }
      if (asked.name === 'check' && writing.isDoubtful) return plainModel(asked, readsNotice(asked))
      if (asked.name === 'rewrite-query' && writing.isDoubtful)
        return plainModel(asked, { query: 'suspension notice Monday departs' })
      return plainModel(asked)
    },
  )
  model.pace({ firstTokenMs: 20, tokensPerSecond: 45 }, isDraft)
}
