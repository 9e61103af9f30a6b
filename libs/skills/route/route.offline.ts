import { oneLine, type Span, spans, tokens, words } from '@plumbline/knowledge/text'
import type { Route, Thread } from '../skill/skill'

const pleasantries = new Set(
  `hi; hello; hey; hello there; good morning; good afternoon; good evening; thanks; thank you; thank you very much;
  many thanks; thanks a lot; bye; goodbye; help; help me; what can you do; what can i ask; who are you; ok; okay;
  hallo; guten tag; guten morgen; guten abend; danke; vielen dank; danke schön; tschüss; hilfe; was kannst du;
  bonjour; bonsoir; salut; merci; merci beaucoup; au revoir; aide; que peux tu faire;
  hola; gracias; ciao; grazie; こんにちは; ありがとう; ありがとうございます; ヘルプ`
    .split(';')
    .map(oneLine),
)

export const isPleasantry = (text: string): boolean =>
  pleasantries.has(
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim(),
  )

const figuresIn = (text: string): Span[] => spans(text).filter(({ token }) => /^\d+$/.test(token))

/**
 * Removes each number of the last question that has as many digits as a number in the new question. For example, a new
 * year replaces the old year.
 */
const withoutReplaced = (last: string, question: string): string => {
  const kinds = new Set(figuresIn(question).map(({ token }) => token.length))
  return figuresIn(last)
    .filter(({ token }) => kinds.has(token.length))
    .reduceRight((text, { start, end }) => text.slice(0, start).trimEnd() + text.slice(end), last)
}

const subjects = (text: string): Set<string> => new Set(words(text).filter((word) => !/^\d/.test(word)))

/** `withLast` appends a follow-up in brackets. Returns this follow-up or, without one, the whole question. */
const ownPart = (question: string): string => /\(([^()]+)\)$/u.exec(question)?.[1] ?? question

const subjectsAsked = (last: string): Set<string> => {
  const own = subjects(ownPart(last))
  return own.size > 0 ? own : subjects(last)
}

/** A question with at least this share of content words can be searched without the last question. */
const ownShare = 2 / 3

const continues = (question: string, last: string): boolean => {
  if (tokens(question).length === 0) return false
  const before = subjects(last)
  const asked = subjects(question)
  const own = [...asked].filter((word) => !before.has(word)).length
  const most = subjectsAsked(last).size
  if (own < 2) return own === asked.size || asked.size < most
  return own < most && asked.size < ownShare * tokens(question).length
}

const withLast = (question: string, thread: Thread | undefined): string | undefined => {
  const last = thread?.turns.findLast(({ question: before }) => !isPleasantry(before))?.question
  if (last === undefined || !continues(question, last)) return undefined
  const held = new Set(words(question))
  return words(last).every((word) => held.has(word))
    ? undefined
    : `${withoutReplaced(last, question).replace(/[\s?？!.]+$/u, '')} (${question})`
}

export const offlineRoute: Route = async ({ question, collections, thread }, { signal }) => {
  signal.throwIfAborted()
  if (isPleasantry(question))
    return { to: 'reply', logic: 'This is a greeting, thanks or a call for help.', collections: [] }
  const whole = withLast(question, thread)
  return {
    to: 'research',
    logic: 'Without a model, every question is searched in the documents.',
    collections: collections.map(({ name }) => name),
    ...(whole !== undefined && { question: whole }),
  }
}
