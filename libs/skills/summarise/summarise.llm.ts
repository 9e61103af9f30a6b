import type { Evidence } from '@plumbline/contracts'
import { spread } from '@plumbline/knowledge/spread'
import { z } from 'zod'
import { askModel, inParallel, type ModelOf } from '../skill/ask-model'
import { useOffline } from '../skill/offline-fallback'
import { passageQuote, type Prompt, questionQuote, tokensIn } from '../skill/prompt'
import type { Call, Drafted, Summarise } from '../skill/skill'
import { offlineSummarise } from './summarise.offline'

type Point = { text: string; passages: number[] }

type PartInput = { question: string; passages: Evidence[]; first: number; most: number }

const rules = `Keep names, figures and units exactly and calculate nothing. Leave out examples and asides. Add nothing of your own, no link and no address.
If the question asks for a number of points, give that number. Write in the language of the question.
list: whether the question asks for points, bullets or a list.`

export const partPrompt: Prompt<PartInput> = {
  name: 'summarise-part',
  version: 4,
  maxTokens: 1_500,
  system: `You summarize a document, or a part of one, given in numbered passages. Say what it says, in order, one plain sentence a point, each with the numbers
of its passages. ${rules}`,
  quotes: ({ question, passages, first }) => [
    ...passages.map((passage, at) => passageQuote(passage, first + at)),
    questionQuote(question),
  ],
  task: ({ most }) => `Give at most ${most} ${most === 1 ? 'point' : 'points'}.`,
}

type WholeInput = { question: string; points: Point[]; most: number }

export const wholePrompt: Prompt<WholeInput> = {
  name: 'summarise-whole',
  version: 4,
  maxTokens: 2_000,
  system: `You join the points of a document's parts into a summary of the whole. Each point has the numbers of its passages. Choose what matters most for the
whole document, in its order, one plain sentence each, with the numbers of all passages whose points it uses. ${rules}`,
  quotes: ({ question, points }) => [
    ...points.map(({ text, passages }, at) => ({ name: `point ${at + 1}, passages ${passages.join(' ')}`, text })),
    questionQuote(question),
  ],
  task: ({ most }) => `Give at most ${most} ${most === 1 ? 'sentence' : 'sentences'}.`,
}

const Points = z.object({
  points: z.array(z.object({ text: z.string().min(1), passages: z.array(z.int()) })),
  list: z.boolean(),
})
type Summary = { points: Point[]; list: boolean }

/** The maximum number of tokens of a document that one call reads. */
const partTokens = 6_000
const pointsPerPart = 8

type Part = { passages: Evidence[]; first: number }

const partsOf = (passages: Evidence[]): Part[] => {
  const parts: Part[] = []
  let size = Infinity
  passages.forEach((passage, at) => {
    const tokens = tokensIn(passage.text)
    if (size + tokens > partTokens) {
      parts.push({ passages: [], first: at + 1 })
      size = 0
    }
    parts.at(-1)?.passages.push(passage)
    size += tokens
  })
  return parts
}

/** Removes points that cite no allowed passage, because they could not be checked. */
const cited = (points: Point[], allowed: (n: number) => boolean): Point[] =>
  points
    .map(({ text, passages }) => ({ text, passages: [...new Set(passages)].filter(allowed) }))
    .filter(({ passages }) => passages.length > 0)

type SummaryContext = { chat: ModelOf; question: string; most: number }

const tooMany = ({ points }: Summary, most: number): string | null =>
  points.length <= most ? null : `It has ${points.length} points; at most ${most} are allowed. Join or drop points.`

const pointsOf = async (
  { passages, first }: Part,
  { chat, isWhole, ...given }: SummaryContext & { isWhole: boolean },
  call: Call,
): Promise<Summary | null> => {
  const input = { passages, first, ...given }
  const asked = await askModel({
    ...{ chat, skill: 'summarise' as const, prompt: partPrompt, input, call, schema: Points },
    faultIn: (summary) => (isWhole ? tooMany(summary, given.most) : null),
  })
  if (asked.kind === 'refused') return null
  const { points, list } = asked.value
  return {
    points: spread(
      cited(points, (n) => n >= first && n < first + passages.length),
      given.most,
    ),
    list,
  }
}

const wholeOf = async (parts: Summary, { chat, ...given }: SummaryContext, call: Call): Promise<Summary> => {
  const { points } = parts
  const input = { points, ...given }
  const asked = await askModel({
    ...{ chat, skill: 'summarise' as const, prompt: wholePrompt, input, call, schema: Points },
    faultIn: (summary) => tooMany(summary, given.most),
  })
  const known = new Set(points.flatMap(({ passages }) => passages))
  if (asked.kind === 'refused') return parts
  const whole = cited(asked.value.points, (n) => known.has(n))
  return whole.length > 0 ? { points: whole, list: asked.value.list } : parts
}

const composed = ({ points, list }: Summary, passages: Evidence[]): Drafted => {
  const used = [...new Set(points.flatMap((point) => point.passages))]
  const said = points.map((point) => {
    const marks = point.passages.map((n) => `[${used.indexOf(n) + 1}]`).join('')
    return `${point.text.trim().replace(/[.。]$/, '')} ${marks}.`
  })
  const citations = used.map((n, at) => ({ n: at + 1, passageId: passages[n - 1]?.id ?? '' }))
  const text = list ? said.map((point) => `- ${point}`).join('\n') : said.join(' ')
  return { kind: 'written', text, citations }
}

export const llmSummarise =
  (chat: ModelOf): Summarise =>
  async (input, call) => {
    call.signal.throwIfAborted()
    const { question, passages, maxSentences, onDelta } = input
    const parts = partsOf(passages)
    const isWhole = parts.length === 1
    const asking = { chat, question, isWhole, most: isWhole ? maxSentences : pointsPerPart }
    const given = await inParallel(parts, call, (part, own) => pointsOf(part, asking, own))
    const read = given.filter((part) => part !== null)
    const points = read.flatMap((part) => part.points)
    const own: Summary = { points, list: read.some(({ list }) => list) }
    // If the model refused a part, quote the document instead, because the summary would not cover all of it.
    if (points.length === 0 || read.length < parts.length) return useOffline('summarise', offlineSummarise)(input, call)
    const whole = isWhole ? own : await wholeOf(own, { chat, question, most: maxSentences }, call)
    // Points from the whole document are kept. Dropping only the last points would leave out the end of the document.
    const summary = composed({ ...whole, points: spread(whole.points, maxSentences) }, passages)
    if (summary.kind === 'written') onDelta?.(summary.text)
    return summary
  }
