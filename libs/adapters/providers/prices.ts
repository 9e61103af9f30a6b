import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { parse } from 'yaml'
import type { ProviderUsage } from './provider'

const dollars = z.number().nonnegative()

export const Price = z.strictObject({
  input: dollars.optional(),
  cachedInput: dollars.optional(),
  output: dollars.optional(),
  per1000Searches: dollars.optional(),
})
export type Price = z.infer<typeof Price>

export const Prices = z.strictObject({ asOf: z.iso.date(), models: z.record(z.string(), Price) })
export type Prices = z.infer<typeof Prices>

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

const wrong = (file: string, what: string): Error =>
  new Error(
    `PRICES_FILE ${file} ${what} The file needs asOf (a date) and models. Each model has input, cachedInput and output in dollars per million tokens, or per1000Searches in dollars.`,
  )

export const readPrices = (file: string | undefined): Prices => {
  if (file === undefined) return listPrices
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    throw wrong(file, 'cannot be read.')
  }
  let given: unknown
  try {
    given = parse(text)
  } catch (error) {
    throw wrong(file, `is neither YAML nor JSON: ${error instanceof Error ? error.message.split('\n')[0] : ''}.`)
  }
  const read = Prices.safeParse(given)
  if (!read.success)
    throw wrong(
      file,
      `contains errors: ${read.error.issues.map(({ path, message }) => `${path.join('.') || 'file'}: ${message}`).join('; ')}.`,
    )
  return { asOf: read.data.asOf, models: { ...listPrices.models, ...read.data.models } }
}

const million = 1_000_000
const thousand = 1_000

/** Removes the date from a model's name, because a dated version of a model costs the same as the model. */
const undated = (model: string): string => model.replace(/-\d{4}-\d{2}-\d{2}$/, '')

export const priceOf = ({ models }: Prices, model: string): Price | undefined => models[model] ?? models[undated(model)]

/** Returns the cost in cents. A model without a price costs 0, and the process logs such models when it starts. */
export const centsIn =
  (prices: Prices) =>
  (model: string, { tokensIn, tokensCached = 0, tokensOut, searches = 0 }: ProviderUsage): number => {
    const price = priceOf(prices, model)
    if (!price) return 0
    const { input = 0, cachedInput = input, output = 0, per1000Searches = 0 } = price
    const cached = Math.min(tokensCached, tokensIn)
    const forTokens = (tokensIn - cached) * input + cached * cachedInput + tokensOut * output
    return 100 * (forTokens / million + (searches * per1000Searches) / thousand)
  }
