import { z } from 'zod'

export const Usage = z.object({
  calls: z.number().int().nonnegative(),
  tokensIn: z.number().int().nonnegative(),
  tokensOut: z.number().int().nonnegative(),
  cents: z.number().nonnegative(),
})
export type Usage = z.infer<typeof Usage>

export const noUsage: Usage = { calls: 0, tokensIn: 0, tokensOut: 0, cents: 0 }

export const addUsage = (a: Usage, b: Usage): Usage => ({
  calls: a.calls + b.calls,
  tokensIn: a.tokensIn + b.tokensIn,
  tokensOut: a.tokensOut + b.tokensOut,
  cents: a.cents + b.cents,
})
