import type { Evidence, Grade } from '@plumbline/contracts'
import { sentences, withoutCitations } from '@plumbline/knowledge/text'
import { allAtOnce } from '../asking/all-at-once'
import { askText } from '../asking/ask-text'
import type { AskedText } from '../asking/ask-text'
import type { ModelOf } from '../asking/asking'
import { offlineInstead } from '../asking/last-rung'
import { isAbsence } from '../check-claims/absence'
import { claimsIn, marksIn } from '../check-claims/claimed'
import { checkWorked } from '../compute/recompute'
import type { Call } from '../skill'
import type { Answer } from './answer'
import { offlineAnswer } from './answer.offline'
import { answerPrompt } from './answer.prompt'
import { drafting, uncited } from './drafting'

type Input = Parameters<Answer>[0]

const height = (grade: Grade | undefined): number =>
  grade ? { high: 2, medium: 1, low: 0 }[grade.level] + grade.confidence / 2 : 0
const bestFirst = (evidence: Evidence[]): Evidence[] => [...evidence].sort((a, b) => height(b.grade) - height(a.grade))

/** A figure that was worked out from the question alone has no passage to cite. */
const isWorked = (sentence: string, { question, evidence, workings = [] }: Input): boolean =>
  checkWorked(withoutCitations(sentence), workings, { question, evidence })?.verdict === 'supported'

const faultIn = (text: string, input: Input): string | null => {
  if (drafting({ ...input, onDelta: undefined }).finish(text).text === '')
    return 'It says only what did not stand before.'
  const all = sentences(text)
  const missing = uncited(text, input.evidence).filter((n) => !isWorked(all[n - 1] ?? '', input))
  return missing.length === 0
    ? null
    : `No passage that was given is cited by ${missing.length === 1 ? 'sentence' : 'sentences'} ${missing.join(', ')}.`
}

const draftBy = (chat: ModelOf, input: Input, call: Call, onDelta?: (text: string) => void): Promise<AskedText> =>
  askText({
    chat,
    skill: 'answer',
    prompt: answerPrompt,
    input,
    call,
    faultIn: (text) => faultIn(text, input),
    ...(onDelta && { onDelta }),
  })

/** The one passage a draft was given was number 1; any other mark is of nothing. */
const renumbered = (text: string, n: number): string =>
  text.replace(/\s?\[\d+(?:\s*,\s*\d+)*\]/g, (mark) => (marksIn(mark).includes(1) ? ` [${n}]` : ''))

/** One draft from each passage, all at once; those that only say what their passage lacks step back where another answers. */
const perPassage = async (chat: ModelOf, input: Input, call: Call): Promise<AskedText> => {
  const drafts = await allAtOnce(input.evidence, call, (passage, own) =>
    draftBy(chat, { ...input, evidence: [passage] }, own),
  )
  const texts = drafts.flatMap((draft, at) => (draft.kind === 'answered' ? [renumbered(draft.text, at + 1)] : []))
  const telling = texts.filter((text) => claimsIn(text).some((claim) => !isAbsence(claim.text)))
  const [refusal] = drafts.filter((draft) => draft.kind === 'refused')
  return texts.length === 0 && refusal
    ? refusal
    : { kind: 'answered', text: (telling.length > 0 ? telling : texts.slice(0, 1)).join('\n\n') }
}

/**
 * The model's sentences, with what is kept before them. A draft that is streamed is not repaired: somebody has seen it. A sentence
 * that still cites nothing stays, for the check to find. A model that can only say what did not stand is not asked a third time.
 */
export const llmAnswer =
  (chat: ModelOf): Answer =>
  async (given, call) => {
    call.signal.throwIfAborted()
    if (given.evidence.length === 0) return offlineAnswer(given, call)
    const input = { ...given, evidence: bestFirst(given.evidence) }
    const draft = drafting(input)
    if ((given.keep ?? []).length >= given.maxSentences) return draft.finish('')
    const asked = given.perPassage
      ? await perPassage(chat, input, call)
      : await draftBy(chat, input, call, given.onDelta && draft.hear)
    if (asked.kind === 'refused') return { text: '', citations: [], refused: asked.reason }
    const drafted = draft.finish(asked.text)
    return drafted.text === '' ? offlineInstead('answer', offlineAnswer)(given, call) : drafted
  }
