import { Level, Support } from '@plumbline/contracts'
import { z } from 'zod'
import { allAtOnce } from '../asking/all-at-once'
import { askModel } from '../asking/ask-model'
import type { AskedText } from '../asking/ask-text'
import type { ModelOf } from '../asking/asking'
import { numberedQuotes, questionQuote } from '../asking/passages'
import type { Prompt } from '../asking/prompt'
import type { Call } from '../skill'
import type { Drafting } from './answer.prompt'

type Ranking = Drafting & { draft: string }
const Ranked = z.object({ support: Support, usefulness: Level })

export const rankPrompt: Prompt<Ranking> = {
  name: 'rank-draft',
  version: 1,
  maxTokens: 100,
  system: `You judge one draft of an answer that was written from one passage.

support: full, the passage states all of it; partial, a part of it; none, nothing of it.
usefulness: high, it answers the question; medium, a part of it; low, it answers nothing, or only says what the passage does not tell.`,
  quotes: ({ passages, question, draft }) => [
    ...numberedQuotes(passages),
    questionQuote(question),
    { name: 'draft', text: draft },
  ],
  task: () => 'Judge the draft.',
}

const supports: Support[] = ['none', 'partial', 'full']
const levels: Level[] = ['low', 'medium', 'high']
const worthOf = ({ support, usefulness }: z.infer<typeof Ranked>): number =>
  supports.indexOf(support) * levels.length + levels.indexOf(usefulness)

type Rated = { kind: 'rated'; text: string; worth: number }
type Refused = Extract<AskedText, { kind: 'refused' }>

/** One draft from each passage, all at once, each judged by itself; those that are worth as much as the best are put together. */
export const bestOf = async (
  chat: ModelOf,
  input: Drafting,
  call: Call,
  draftBy: (own: Drafting, call: Call) => Promise<AskedText>,
): Promise<AskedText> => {
  const rated = await allAtOnce(input.passages, call, async (passage, own): Promise<Rated | Refused> => {
    const alone = { ...input, passages: [passage] }
    const draft = await draftBy(alone, own)
    if (draft.kind === 'refused') return draft
    const asking = { chat, skill: 'answer' as const, prompt: rankPrompt, call: own, schema: Ranked }
    const ranked = await askModel({ ...asking, input: { ...alone, draft: draft.text } })
    return { kind: 'rated', text: draft.text.trim(), worth: ranked.kind === 'refused' ? 0 : worthOf(ranked.value) }
  })
  const drafts = rated.filter((each) => each.kind === 'rated')
  const [refusal] = rated.filter((each) => each.kind === 'refused')
  if (drafts.length === 0 && refusal) return refusal
  const best = Math.max(...drafts.map(({ worth }) => worth))
  const kept = drafts.filter(({ worth }) => worth === best)
  return { kind: 'answered', text: kept.map(({ text }) => text).join('\n\n') }
}
