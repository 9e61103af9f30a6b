import { z } from 'zod'

export const Usage = z.object({
  calls: z.number().int().nonnegative(),
  tokensIn: z.number().int().nonnegative(),
  /** The number of input tokens that came from the provider's cache. `tokensIn` includes them. */
  tokensCached: z.number().int().nonnegative().optional(),
  tokensOut: z.number().int().nonnegative(),
  cents: z.number().nonnegative(),
})
export type Usage = z.infer<typeof Usage>

export const noUsage: Usage = { calls: 0, tokensIn: 0, tokensOut: 0, cents: 0 }

export const addUsage = (a: Usage, b: Usage): Usage => {
  const tokensCached = (a.tokensCached ?? 0) + (b.tokensCached ?? 0)
  return {
    calls: a.calls + b.calls,
    tokensIn: a.tokensIn + b.tokensIn,
    ...(tokensCached > 0 && { tokensCached }),
    tokensOut: a.tokensOut + b.tokensOut,
    cents: a.cents + b.cents,
  }
}

/** The usage of one tenant on one day (UTC). */
export const UsageView = z.object({
  tenant: z.string(),
  day: z.string(),
  usage: Usage,
  centsPerDay: z.number().optional(),
  tokensPerDay: z.number().optional(),
})
export type UsageView = z.infer<typeof UsageView>

/** One call of a model. If no model answers, an entry with the model `offline` follows. */
export const ModelCall = z.object({
  skill: z.string(),
  model: z.string(),
  prompt: z.string().optional(),
  usage: Usage,
  insteadBy: z.enum(['fallback', 'offline']).optional(),
  ms: z.number().optional(),
  failed: z.object({ calls: z.number().int(), error: z.string() }).optional(),
})
export type ModelCall = z.infer<typeof ModelCall>
