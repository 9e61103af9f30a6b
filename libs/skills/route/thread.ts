import { type Quote, quoteLines, tokensIn } from '../skill/prompt'
import type { StandaloneQuestion, Thread, ThreadTurn } from '../skill/skill'

/** The token limit for the latest turns, which prompts contain in full. Earlier turns are cut to `shortCharacters`. */
const threadTokens = 1_500
const shortCharacters = 400
const mostInShort = 20

const turnText = ({ question, text }: ThreadTurn): string => `Asked: ${question}\nAnswered: ${text}`

/** `last`: the latest turns that fit into `threadTokens`, at least one. */
const turnsOf = ({ turns }: Thread): { last: ThreadTurn[]; earlier: ThreadTurn[] } => {
  let left = threadTokens
  const from = turns.findLastIndex((turn) => (left -= tokensIn(turnText(turn))) < 0)
  const first = Math.min(from + 1, turns.length - 1)
  return { last: turns.slice(Math.max(0, first)), earlier: turns.slice(0, Math.max(0, first)) }
}

const shortened = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most)} …`)

export const threadQuotes = (thread: Thread): Quote[] => {
  const { last, earlier } = turnsOf(thread)
  return [
    ...quoteLines('earlier in short', thread.summary === undefined ? [] : [thread.summary]),
    ...earlier
      .slice(-mostInShort)
      .map((turn) => ({ name: 'earlier turn', text: shortened(turnText(turn), shortCharacters) })),
    ...last.map((turn) => ({ name: 'turn', text: shortened(turnText(turn), 4 * threadTokens) })),
  ]
}

const needsSummary = (thread: Thread | undefined): boolean => thread !== undefined && turnsOf(thread).earlier.length > 0

export const summaryTask = (thread: Thread | undefined): string =>
  needsSummary(thread)
    ? ' Write the summary: what was asked and found up to now, in at most 150 words, names and figures kept.'
    : ''

export const summaryFault = (thread: Thread | undefined, summary: string | null): string | null =>
  needsSummary(thread) && !summary?.trim() ? 'The whole conversation is to be summed up.' : null

type StandaloneReply = { question: string; summary: string | null }

export const standaloneResult = (
  { question, thread }: Parameters<StandaloneQuestion>[0],
  understood: StandaloneReply,
): Awaited<ReturnType<StandaloneQuestion>> => {
  const whole = understood.question.trim()
  const summary = needsSummary(thread) ? understood.summary?.trim() : undefined
  return { ...(whole !== '' && whole !== question.trim() && { question: whole }), ...(summary && { summary }) }
}
