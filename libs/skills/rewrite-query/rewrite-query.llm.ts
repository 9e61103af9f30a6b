import { Strategy } from '@plumbline/contracts'
import { z } from 'zod'
import { askModel } from '../asking/ask-model'
import type { ModelOf } from '../asking/asking'
import { offlineInstead } from '../asking/last-rung'
import { nearCopy } from '../wording/near-copy'
import type { RewriteQuery } from './rewrite-query'
import { offlineRewriteQuery } from './rewrite-query.offline'
import { rewriteQueryPrompt } from './rewrite-query.prompt'

const Rewritten = z.object({ reason: z.string().min(1), strategy: Strategy, query: z.string().trim().min(1) })

/** A query that was tried before finds what was found before, so where the model has no new one the offline form finds one. */
export const llmRewriteQuery =
  (chat: ModelOf): RewriteQuery =>
  async (input, call) => {
    const faultIn = ({ query }: z.infer<typeof Rewritten>): string | null => {
      if (nearCopy(query, input.question)) return 'The query says the same as the question.'
      const earlier = input.triedQueries.findIndex((each) => nearCopy(query, each))
      return earlier === -1 ? null : `The query says the same as tried query ${earlier + 1}.`
    }
    const asked = await askModel({
      chat,
      skill: 'rewriteQuery',
      prompt: rewriteQueryPrompt,
      input,
      call,
      schema: Rewritten,
      faultIn,
    })
    return asked.kind === 'answered' && asked.fault === null
      ? asked.value
      : offlineInstead('rewriteQuery', offlineRewriteQuery)(input, call)
  }
