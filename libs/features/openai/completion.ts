import type {
  Annotation,
  ChatChunk,
  ChatCompletion,
  ChatOutcome,
  Citation,
  RunView,
  StreamEvent,
} from '@plumbline/contracts'
import type { Run } from '@plumbline/flow'
import { hasEnded } from '@plumbline/gateway/present/answer'
import { addressOf, quoteMark, responseTextOf } from '@plumbline/gateway/present/outcome'

type Finish = ChatCompletion['choices'][number]['finish_reason']

/**
 * Returns OpenAI's finish reason. `content_filter`: the run ended without an answer, or the answer is held. `length`:
 * the run is still in progress.
 */
const finishOf = ({ status }: RunView, isReleased: boolean): Finish => {
  if (isReleased) return 'stop'
  return hasEnded({ status }) || status === 'parked' ? 'content_filter' : 'length'
}

/** Returns whether the position is inside a quote. There, a number in brackets is not a citation. */
const isQuoted = (text: string, at: number): boolean => text.startsWith(quoteMark, text.lastIndexOf('\n', at) + 1)

const annotationsIn = (text: string, citations: Citation[], origin: string): Annotation[] => {
  const byNumber = new Map(citations.map((citation) => [`${citation.n}`, citation]))
  return [...text.matchAll(/\[(\d+)\]/g)].flatMap(({ 0: mark, 1: n = '', index }): Annotation[] => {
    const citation = byNumber.get(n)
    if (!citation || isQuoted(text, index)) return []
    const place = { start_index: index, end_index: index + mark.length }
    return [
      { type: 'url_citation', url_citation: { ...place, url: addressOf(citation, origin), title: citation.title } },
    ]
  })
}

const usageOf = ({ usage: { tokensIn, tokensOut, tokensCached } }: RunView): ChatCompletion['usage'] => ({
  prompt_tokens: tokensIn,
  completion_tokens: tokensOut,
  total_tokens: tokensIn + tokensOut,
  ...(tokensCached !== undefined && { prompt_tokens_details: { cached_tokens: tokensCached } }),
})

type Rendering = { run: Run; view: RunView; ignored: string[]; origin: string; sent?: string }

const rendered = ({ run, view, ignored, origin, sent = '' }: Rendering) => {
  const { text, isReleased, outcome } = responseTextOf(run, view, sent)
  const isPartial = sent !== '' && !isReleased
  const partial = isPartial ? (view.partial?.state ?? (view.answer ? 'corrected' : 'incomplete')) : undefined
  const plumbline: ChatOutcome = {
    ...outcome,
    ...(ignored.length > 0 && { ignored }),
    ...(partial && { partial }),
  }
  const cited = isReleased ? [...outcome.citations, ...(outcome.quotes ?? [])] : (view.partial?.citations ?? [])
  const annotations = isReleased || isPartial ? annotationsIn(text, cited, origin) : []
  return { text, annotations, plumbline, partial, finish: finishOf(view, isReleased), usage: usageOf(view) }
}

const aboutOf = ({ id, createdAt, policy }: Run) => ({ id, created: Math.floor(createdAt / 1_000), model: policy.name })

export const completionOf = (rendering: Rendering): ChatCompletion => {
  const { text, annotations, plumbline, finish, usage } = rendered(rendering)
  const message = { role: 'assistant' as const, content: text, refusal: null, annotations }
  return {
    ...aboutOf(rendering.run),
    object: 'chat.completion',
    choices: [{ index: 0, message, logprobs: null, finish_reason: finish }],
    usage,
    plumbline,
  }
}

type CheckedPart = Extract<StreamEvent, { type: 'checked' }>

/** Returns the text that a checked part adds to `sent`, or null if the part does not continue `sent`. */
export const addedBy = ({ from, text }: CheckedPart, sent: string): string | null => {
  const whole = `${sent.slice(0, from)}${text}`
  if (from > sent.length) return null
  if (sent.startsWith(whole)) return ''
  return whole.startsWith(sent) ? whole.slice(sent.length) : null
}

type Choice = ChatChunk['choices'][number]
type ChunkFields = Pick<ChatChunk, 'plumbline' | 'usage'> & { choices: Choice[] }

/** Creates the chunks of a streamed answer. If usage is requested, `usage` is null in every chunk except the last. */
export const chunksOf = (run: Run, withUsage: boolean) => {
  const chunk = (given: ChunkFields): ChatChunk => ({
    ...aboutOf(run),
    object: 'chat.completion.chunk',
    ...(withUsage && { usage: null }),
    ...given,
  })
  const choice = (delta: Choice['delta'], finish: Finish | null = null): Choice[] => [
    { index: 0, delta, finish_reason: finish },
  ]
  return {
    first: (): ChatChunk => chunk({ choices: choice({ role: 'assistant', content: '' }) }),
    /** The draft has a separate field, because the text field contains only checked text. */
    draft: (piece: Extract<ChatChunk['plumbline'], { draft: unknown }>['draft']): ChatChunk =>
      chunk({ choices: choice({}), plumbline: { draft: piece } }),
    text: (content: string): ChatChunk => chunk({ choices: choice({ content }) }),
    last: (rendering: Rendering): ChatChunk[] => {
      const { text, annotations, plumbline, partial, finish, usage } = rendered(rendering)
      const rest = text.slice(rendering.sent?.length ?? 0)
      const about = { ...(annotations.length > 0 && { annotations }), ...(partial && { plumbline: { partial } }) }
      return [
        ...(rest === '' ? [] : [chunk({ choices: choice({ content: rest }) })]),
        chunk({ choices: choice(about, finish), plumbline }),
        ...(withUsage ? [chunk({ choices: [], usage })] : []),
      ]
    },
  }
}
