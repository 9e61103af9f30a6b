import { type Citation, type Outcome, type Quote, type Reason, reasons, type RunView } from '@plumbline/contracts'
import type { Run } from '@plumbline/flow'
import { hasEnded, quotePosition, releasedAnswer } from './answer'

/** The text is the same for all held answers, so that it reveals nothing about the draft. */
export const heldText = 'This answer is held: a person reviews it before it is released.'
const notYetText = 'This answer is not ready yet.'

export const quoteMark = '> '

const isReason = (code: string): code is Reason => Object.hasOwn(reasons, code)

const insteadOf = ({ status, reason = '' }: RunView): string => {
  if (status === 'parked') return heldText
  if (!hasEnded({ status })) return notYetText
  return isReason(reason) ? reasons[reason] : `This question ended without an answer: ${status}.`
}

/** Formats a quote as Markdown. Images are escaped, so that clients do not fetch them. */
const asMarkdown = (quote: Quote): string =>
  [`**${quotePosition(quote)}**`, quote.text.replaceAll('![', '!\\[').replaceAll(/^/gm, quoteMark)].join('\n\n')

/** If the reader already has the beginning of the text, puts the caveat after the text. */
const markdownOf = (answer: NonNullable<Run['answer']>, quotes: Quote[] = [], isBegun = false): string => {
  const { caveat, text, question } = answer
  const first = isBegun ? [text, caveat] : [caveat, text]
  return [...first, ...quotes.map(asMarkdown), question].filter(Boolean).join('\n\n')
}

export type ResponseText = { text: string; isReleased: boolean; outcome: Outcome }

/**
 * `view`: the run as its asker may see it. `sent`: the text that was already sent. If the answer does not begin with
 * `sent`, the text of the response is `sent`.
 */
export const responseTextOf = (run: Run, view: RunView, sent = ''): ResponseText => {
  const { id: runId, status, reason, policy, threadId, answer, grounding, nearest, degraded, review } = view
  const kept = releasedAnswer(run)
  const released = kept?.text.startsWith(sent) ? kept : undefined
  const instead = sent === '' ? insteadOf(view) : sent
  return {
    text: released ? markdownOf(released, answer?.quotes, sent !== '') : instead,
    isReleased: released !== undefined,
    outcome: {
      ...{ runId, status, reason, policy, threadId, kind: answer?.kind, caveat: answer?.caveat },
      ...{ citations: answer?.citations ?? [], quotes: answer?.quotes, grounding, nearest, degraded, review },
    },
  }
}

const isPublic = (url: string | undefined): url is string =>
  url !== undefined && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)

export const addressOf = ({ url, collection = 'default', documentId, passageId }: Citation, origin: string): string => {
  const parts = [collection, documentId].map(encodeURIComponent).join('/')
  return isPublic(url) ? url : `${origin}/documents/${parts}?passage=${encodeURIComponent(passageId)}`
}
