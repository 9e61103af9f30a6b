import { fold } from '@plumbline/knowledge/text'
import { faultIn } from '@plumbline/ports/lookup'
import { z } from 'zod'
import { askModel } from '../asking/ask-model'
import type { ModelOf } from '../asking/asking'
import type { FillLookup } from '../skill'
import { fillLookupPrompt } from './fill-lookup.prompt'

const Filled = z.object({ fits: z.boolean(), values: z.array(z.object({ name: z.string(), value: z.string() })) })

/** The model chooses; only what was declared counts, and what merely fits a pattern must stand in the question. */
export const llmFillLookup =
  (chat: ModelOf): FillLookup =>
  async (input, call) => {
    call.signal.throwIfAborted()
    const { question, lookup, isChosen = false } = input
    const asked = await askModel({ chat, skill: 'fillLookup', prompt: fillLookupPrompt, input, call, schema: Filled })
    if (asked.kind === 'refused' || !(asked.value.fits || isChosen)) return null
    const values = Object.fromEntries(asked.value.values.map(({ name, value }) => [name, value]))
    if (faultIn(lookup, values) !== null) return null
    const stands = lookup.params.every(
      ({ name, values: allowed }) => allowed !== undefined || fold(question).includes(fold(values[name] ?? '')),
    )
    return stands ? values : null
  }
