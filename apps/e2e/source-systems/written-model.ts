import { piecesOf } from '@plumbline/knowledge/claims/pieces'
import type { Answer } from '@plumbline/testing/model-server/answer'
import type { ModelRequest } from '@plumbline/testing/model-server/request'
import { agreeing } from '@plumbline/testing/scripted-model/plain-model'
import {
  type PromptContent,
  promptTo,
  readPrompt,
  withoutMarks,
} from '@plumbline/testing/scripted-model/prompt-content'

/** A draft that a spec prescribes. `[some words]` becomes a citation of the passage that contains these words. */
type WrittenDraft = {
  text: string
  /** The unsupported claims. Maps words of each claim to the reason that the check gives. */
  wrong?: Record<string, string>
  /** The contradicted claims. Maps words of each claim to words of the passage that contradicts it. */
  conflicts?: Record<string, string>
  check?: object
}

export type ScriptedTurn = {
  question: string
  collection?: string
  whole?: string
  route?: object
  plan?: { question: string; queries: string[] }[]
  /** A passage with words of `relevant` is relevant. A relevant passage with words of `sensitive` is sensitive. */
  relevant?: string[]
  sensitive?: string[]
  rewrites?: { query: string; strategy: string; reason: string }[]
  /** A strip (a part of a passage) is kept if it contains one of these texts. By default, all strips are kept. */
  strips?: string[]
  drafts?: WrittenDraft[]
  reply?: string
}

const has = (text: string, words: string[] = []): boolean => words.some((word) => text.includes(word))

const cited = /\[([^\]]+)\]/g
const holderOf = (words: string, { passages }: PromptContent) => passages.find(({ body }) => body.includes(words))
const citing = (text: string, shown: PromptContent): string =>
  text.replace(cited, (_, words: string) => `[${holderOf(words, shown)?.n ?? 99}]`)

const lacking = 'This passage does not answer it'
/** Returns the draft for a prompt. If a preset writes a draft per passage, it contains only lines that cite it. */
const draftFrom = (text: string, shown: PromptContent): string => {
  const isShown = (part: string): boolean =>
    Array.from(part.matchAll(cited)).every(([, words = '']) => holderOf(words, shown))
  if (isShown(text)) return citing(text, shown)
  const own = text.split('\n').filter(isShown).join('\n')
  return own === '' ? `${lacking} [${shown.passages[0]?.n}].` : citing(own, shown)
}

const rank = (_: ScriptedTurn, { one }: PromptContent): object =>
  one('draft').includes(lacking) ? { support: 'none', usefulness: 'low' } : { support: 'full', usefulness: 'high' }

const sentencesOf = ({ text }: WrittenDraft): string[] =>
  piecesOf(text.replace(/ ?\[[^\]]+\]/g, '')).map((piece) => piece.text)

/** Returns the draft that follows the last draft whose sentences are all in the prompt. */
const nextDraft = ({ drafts = [] }: ScriptedTurn, { one }: PromptContent): WrittenDraft | undefined => {
  const before = `${one('stood')}\n${one('did not stand')}`
  return drafts[1 + drafts.findLastIndex((draft) => sentencesOf(draft).every((sentence) => before.includes(sentence)))]
}

const gradesOf = ({ relevant, sensitive }: ScriptedTurn, { passages }: PromptContent) => ({
  grades: passages.map(({ n, body }) => ({
    passage: n,
    relevant: has(body, relevant),
    reason: 'It is about something else.',
    level: 'high',
    sensitive: has(body, sensitive),
  })),
})

const within = (text: string, told: Record<string, string> = {}): string | undefined =>
  Object.entries(told).find(([words]) => text.includes(words))?.[1]

const checkOf = ({ drafts = [] }: ScriptedTurn, { numbered, passages }: PromptContent) => {
  const claims = numbered('claim')
  const isClaimed = (sentence: string): boolean => claims.some(({ text }) => withoutMarks(text) === sentence)
  const draft = drafts.findLast((each) => sentencesOf(each).every(isClaimed)) ?? drafts[0]
  return {
    claims: claims.map(({ n, text }) => {
      const reason = within(text, draft?.wrong)
      const other = within(text, draft?.conflicts)
      const conflict = passages.find(({ body }) => other !== undefined && body.includes(other))
      return {
        ...{ claim: n, verdict: reason || conflict ? 'unsupported' : 'supported', passage: null },
        ...{ reason: reason ?? 'A passage gives another value.', conflictsWith: conflict?.n ?? null },
      }
    }),
    ...draft?.check,
  }
}

const splitIntoStrips = ({ strips }: ScriptedTurn, { passages }: PromptContent): object | undefined =>
  strips && {
    strips: passages.flatMap(({ body }) =>
      Array.from(body.matchAll(/^\((\d+)\) (.*)$/gm)).flatMap(([, n, text = '']) =>
        has(text, strips) ? [Number(n)] : [],
      ),
    ),
  }

const understood = ({ question, whole = question, route }: ScriptedTurn): object => ({ ...route, question: whole })

const replies: Record<string, (turn: ScriptedTurn, shown: PromptContent) => unknown> = {
  route: understood,
  'route-index-or-web': understood,
  'route-retrieve-or-not': understood,
  'standalone-question': understood,
  plan: ({ plan }) => plan && { steps: plan.map((step) => ({ ...step, waitsFor: null })) },
  'grade-evidence': gradesOf,
  'rewrite-query': ({ rewrites }, { one }) => rewrites?.find(({ query }) => !one('tried queries').includes(query)),
  'refine-evidence': splitIntoStrips,
  check: checkOf,
  answer: (turn, shown) => draftFrom(nextDraft(turn, shown)?.text ?? '', shown),
  'rank-draft': rank,
  reply: ({ reply }) => reply,
}

const questionsOf = ({ question, whole, plan = [] }: ScriptedTurn): (string | undefined)[] => [
  question,
  whole,
  ...plan.map((step) => step.question),
]

export const writtenModel =
  (turns: ScriptedTurn[]) =>
  (asked: ModelRequest): Answer => {
    if (asked.kind !== 'chat') return agreeing(asked)
    const shown = readPrompt(promptTo(asked))
    const turn = turns.find((each) => questionsOf(each).includes(shown.one('question')))
    const name = asked.name ?? (shown.passages.length > 0 ? 'answer' : 'reply')
    return agreeing(asked, turn && replies[name]?.(turn, shown))
  }
