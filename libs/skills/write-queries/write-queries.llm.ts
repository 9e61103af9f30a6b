import { tokens } from '@plumbline/knowledge/text'
import { z } from 'zod'
import { askModel } from '../asking/ask-model'
import type { ModelOf } from '../asking/asking'
import { offlineInstead } from '../asking/last-rung'
import type { WriteQueries } from './write-queries'
import { offlineWriteQueries } from './write-queries.offline'
import { writeQueriesPrompt } from './write-queries.prompt'

const Written = z.object({ queries: z.array(z.string()) })
const key = (query: string): string => tokens(query).join(' ')

const newOnes = (question: string, queries: string[]): string[] => {
  const seen = new Set(['', key(question)])
  return queries.map((query) => query.trim()).filter((query) => !seen.has(key(query)) && seen.add(key(query)))
}

export const llmWriteQueries =
  (chat: ModelOf): WriteQueries =>
  async (input, call) => {
    const { question, count } = input
    call.signal.throwIfAborted()
    if (count === 0) return []
    const faultIn = ({ queries }: z.infer<typeof Written>): string | null =>
      newOnes(question, queries).length > 0 ? null : 'No query differs from the question.'
    const asked = await askModel({
      chat,
      skill: 'writeQueries',
      prompt: writeQueriesPrompt,
      input,
      call,
      schema: Written,
      faultIn,
    })
    if (asked.kind === 'refused') return []
    return asked.fault === null
      ? newOnes(question, asked.value.queries).slice(0, count)
      : offlineInstead('writeQueries', offlineWriteQueries)(input, call)
  }
