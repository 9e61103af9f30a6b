import { z } from 'zod'

export const Usage = z.object({
  calls: z.number().int().nonnegative(),
  tokensIn: z.number().int().nonnegative(),
  /** How many of `tokensIn` the provider had cached. */
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

/** A tenant's model usage on one UTC day, and its limits if there are any. */
export const UsageView = z.object({
  tenant: z.string(),
  day: z.string(),
  usage: Usage,
  centsPerDay: z.number().optional(),
  tokensPerDay: z.number().optional(),
})
export type UsageView = z.infer<typeof UsageView>

/** A model call of a skill: one per provider call, and one more if no provider succeeded. */
export const ModelCall = z.object({
  skill: z.string(),
  model: z.string(),
  /** The prompt and its version, as `check-claims@1`. */
  prompt: z.string().optional(),
  usage: Usage,
  /** Set if it was not the configured model: another provider, or no model at all. */
  insteadBy: z.enum(['fallback', 'offline']).optional(),
  /** How long the calls took together. */
  ms: z.number().optional(),
  /** How many of them failed, and the last error. */
  failed: z.object({ calls: z.number().int(), error: z.string() }).optional(),
})
export type ModelCall = z.infer<typeof ModelCall>
