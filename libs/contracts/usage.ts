import { z } from 'zod'

export const Usage = z.object({
  calls: z.number().int().nonnegative(),
  tokensIn: z.number().int().nonnegative(),
  /** The part of `tokensIn` that the provider had cached. */
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

/** The model usage of a tenant on one day in UTC, and the tenant's daily limits, if any. */
export const UsageView = z.object({
  tenant: z.string(),
  day: z.string(),
  usage: Usage,
  centsPerDay: z.number().optional(),
  tokensPerDay: z.number().optional(),
})
export type UsageView = z.infer<typeof UsageView>

/**
 * The calls of a skill to one model. A skill reports one entry per provider, and a further entry if no provider
 * succeeded.
 */
export const ModelCall = z.object({
  skill: z.string(),
  model: z.string(),
  /** The name of the prompt with its version, such as `check-claims@1`. */
  prompt: z.string().optional(),
  usage: Usage,
  /**
   * Set if the configured model failed. `fallback`: another provider answered. `offline`: the skill ran without a
   * model.
   */
  insteadBy: z.enum(['fallback', 'offline']).optional(),
  /** The total duration of the calls in ms. */
  ms: z.number().optional(),
  /** The number of failed calls, and the last error. */
  failed: z.object({ calls: z.number().int(), error: z.string() }).optional(),
})
export type ModelCall = z.infer<typeof ModelCall>
