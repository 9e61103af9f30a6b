import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { listPrices, Prices } from './price-table'

const wrong = (file: string, what: string): Error =>
  new Error(
    `PRICES_FILE ${file} ${what} It holds asOf (a date) and models, each with input, cachedInput and output in dollars per million tokens, or per1000Searches.`,
  )

/** The shipped prices with the user's over them; YAML, or JSON, which is YAML too. */
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
      `has faults: ${read.error.issues.map(({ path, message }) => `${path.join('.') || 'file'}: ${message}`).join('; ')}.`,
    )
  return { asOf: read.data.asOf, models: { ...listPrices.models, ...read.data.models } }
}
