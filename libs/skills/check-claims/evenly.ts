import { numbers, stem, tokens, unitNamed } from '@plumbline/knowledge/text'

const known = new Map<string, string>()

/** `three kilometres` and `3 km` are one: figures in digits, units in one form, words without their endings. */
const even = (token: string): string => {
  const [figure] = /^\p{Ll}+$/u.test(token) ? numbers(token) : []
  return figure && figure.unit !== 'th' && figure.raw === token
    ? String(figure.value)
    : (unitNamed(token) ?? stem(token))
}

/** The words of a text, each in one form. */
export const evenly = (text: string): string[] => tokens(text).map((token) => known.get(token) ?? remembered(token))

const most = 20_000
const remembered = (token: string): string => {
  if (known.size >= most) known.clear()
  known.set(token, even(token))
  return known.get(token) ?? token
}
