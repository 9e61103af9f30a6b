import { Strategy } from '@plumbline/contracts'
import { words } from '@plumbline/knowledge/text'
import { z } from 'zod'
import { askModel } from '../asking/ask-model'
import type { ModelOf } from '../asking/asking'
import type { RewriteQuery } from '../skill'
import { rewriteQueryPrompt } from './rewrite-query.prompt'

const Rewritten = z.object({ reason: z.string().min(1), strategy: Strategy, query: z.string().trim().min(1) })

/** Two queries find the same where of five words at least four are the same, in whatever order and form. */
const sameShare = 0.8

const nearCopy = (a: string, b: string): boolean => {
  const [left, right] = [new Set(words(a)), new Set(words(b))]
  const both = [...left].filter((word) => right.has(word)).length
  const either = left.size + right.size - both
  return either === 0 || both / either >= sameShare
}

/** A query that was tried before finds what was found before: then there is none. */
export const llmRewriteQuery =
  (chat: ModelOf): RewriteQuery =>
  async (input, call) => {
    const faultIn = ({ query }: z.infer<typeof Rewritten>): string | null => {
      if (nearCopy(query, input.question)) return 'The query says the same as the question.'
      const earlier = input.triedQueries.findIndex((each) => nearCopy(query, each))
      return earlier === -1 ? null : `The query says the same as tried query ${earlier + 1}.`
    }
    const asking = { chat, skill: 'rewriteQuery' as const, prompt: rewriteQueryPrompt, input, call }
    const asked = await askModel({ ...asking, schema: Rewritten, faultIn })
    return asked.kind === 'answered' && asked.fault === null ? asked.value : null
  }
