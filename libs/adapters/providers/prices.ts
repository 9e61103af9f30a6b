import type { Price, Prices } from './price-table'
import type { Spent } from './provider'

const million = 1_000_000
const thousand = 1_000

/** A dated snapshot of a model costs what the model costs. */
const undated = (model: string): string => model.replace(/-\d{4}-\d{2}-\d{2}$/, '')

export const priceOf = ({ models }: Prices, model: string): Price | undefined => models[model] ?? models[undated(model)]

/** What a call costs in cents; a model without a price counts as free, and that is said at start. */
export const centsIn =
  (prices: Prices) =>
  (model: string, { tokensIn, tokensCached = 0, tokensOut, searches = 0 }: Spent): number => {
    const price = priceOf(prices, model)
    if (!price) return 0
    const { input = 0, cachedInput = input, output = 0, per1000Searches = 0 } = price
    const cached = Math.min(tokensCached, tokensIn)
    const forTokens = (tokensIn - cached) * input + cached * cachedInput + tokensOut * output
    return 100 * (forTokens / million + (searches * per1000Searches) / thousand)
  }
