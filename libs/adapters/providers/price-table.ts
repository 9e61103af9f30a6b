import { z } from 'zod'

const dollars = z.number().nonnegative()

/** Dollars per million tokens; a reranker's per thousand searches. */
export const Price = z.strictObject({
  input: dollars.optional(),
  cachedInput: dollars.optional(),
  output: dollars.optional(),
  per1000Searches: dollars.optional(),
})
export type Price = z.infer<typeof Price>

/** `asOf` is the day the prices stood like this. */
export const Prices = z.strictObject({ asOf: z.iso.date(), models: z.record(z.string(), Price) })
export type Prices = z.infer<typeof Prices>

/** List prices of the providers; PRICES_FILE extends and overrides them. */
export const listPrices: Prices = {
  asOf: '2026-03-21',
  models: {
    'gpt-5.2': { input: 1.75, cachedInput: 0.175, output: 14 },
    'gpt-5.1': { input: 1.25, cachedInput: 0.125, output: 10 },
    'gpt-5': { input: 1.25, cachedInput: 0.125, output: 10 },
    'gpt-5-mini': { input: 0.25, cachedInput: 0.025, output: 2 },
    'gpt-5-nano': { input: 0.05, cachedInput: 0.005, output: 0.4 },
    'gpt-4.1': { input: 2, cachedInput: 0.5, output: 8 },
    'gpt-4.1-mini': { input: 0.4, cachedInput: 0.1, output: 1.6 },
    'gpt-4.1-nano': { input: 0.1, cachedInput: 0.025, output: 0.4 },
    'gpt-4o': { input: 2.5, cachedInput: 1.25, output: 10 },
    'gpt-4o-mini': { input: 0.15, cachedInput: 0.075, output: 0.6 },
    o3: { input: 2, cachedInput: 0.5, output: 8 },
    'o4-mini': { input: 1.1, cachedInput: 0.275, output: 4.4 },
    'text-embedding-3-small': { input: 0.02 },
    'text-embedding-3-large': { input: 0.13 },
    'text-embedding-ada-002': { input: 0.1 },
    'rerank-v3.5': { per1000Searches: 2 },
    'rerank-english-v3.0': { per1000Searches: 2 },
    'rerank-multilingual-v3.0': { per1000Searches: 2 },
  },
}
