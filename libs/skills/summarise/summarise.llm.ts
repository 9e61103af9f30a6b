import type { Evidence } from '@plumbline/contracts'
import { z } from 'zod'
import { compose } from '../answer/compose'
import { askModel } from '../asking/ask-model'
import type { ModelOf } from '../asking/asking'
import type { Call } from '../skill'
import type { Summarise } from './summarise'
import { offlineSummarise } from './summarise.offline'
import type { Point } from './summarise.prompt'
import { partPrompt, wholePrompt } from './summarise.prompt'

const Points = z.object({ points: z.array(z.object({ text: z.string().min(1), passages: z.array(z.int()) })) })

/** So much of a document is read by one call. */
const partCharacters = 8_000
const pointsPerPart = 6

type Part = { passages: Evidence[]; first: number }

const partsOf = (passages: Evidence[]): Part[] => {
  const parts: Part[] = []
  let size = Infinity
  passages.forEach((passage, at) => {
    if (size + passage.text.length > partCharacters) {
      parts.push({ passages: [], first: at + 1 })
      size = 0
    }
    parts.at(-1)?.passages.push(passage)
    size += passage.text.length
  })
  return parts
}

/** Points that cite none of what they were made from are dropped: nobody could check them. */
const cited = (points: Point[], allowed: (n: number) => boolean): Point[] =>
  points
    .map(({ text, passages }) => ({ text, passages: [...new Set(passages)].filter(allowed) }))
    .filter(({ passages }) => passages.length > 0)

const pointsOf = async ({ passages, first }: Part, chat: ModelOf, call: Call): Promise<Point[]> => {
  const input = { passages, first, most: pointsPerPart }
  const asked = await askModel({ chat, skill: 'summarise', prompt: partPrompt, input, call, schema: Points })
  return asked.kind === 'refused'
    ? []
    : cited(asked.value.points, (n) => n >= first && n < first + passages.length).slice(0, pointsPerPart)
}

/** All parts at once, then their points together. A refused part is left out; without any point the offline form does it. */
export const llmSummarise =
  (chat: ModelOf): Summarise =>
  async (input, call) => {
    call.signal.throwIfAborted()
    const { question, passages, maxSentences, onDelta } = input
    const parts = await Promise.all(partsOf(passages).map((part) => pointsOf(part, chat, call)))
    const points = parts.flat()
    if (points.length === 0) return offlineSummarise(input, call)
    const asked = await askModel({
      chat,
      skill: 'summarise',
      prompt: wholePrompt,
      input: { question, points, most: maxSentences },
      call,
      schema: Points,
    })
    const known = new Set(points.flatMap((point) => point.passages))
    const whole = asked.kind === 'refused' ? [] : cited(asked.value.points, (n) => known.has(n))
    const said = (whole.length > 0 ? whole : points).slice(0, maxSentences)
    return compose(
      said.map(({ text, passages: from }) => ({ text, passageIds: from.flatMap((n) => passages[n - 1]?.id ?? []) })),
      onDelta,
    )
  }
