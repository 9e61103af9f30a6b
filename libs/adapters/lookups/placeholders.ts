import type { z } from 'zod'

/** Matches the parts of a query that contain no parameters: strings, quoted names, comments, and `::` in casts. */
const withoutParams = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\$(?<tag>\w*)\$[\s\S]*?\$\k<tag>\$|::/
const params = new RegExp(`${withoutParams.source}|(?<![\\w:]):[a-z_]\\w*`, 'gi')

export const bareQuery = (query: string): string => query.replace(new RegExp(withoutParams, 'g'), ' ')

export const numberedParams = (query: string): { text: string; names: string[] } => {
  const names: string[] = []
  const text = query.replace(params, (found) => {
    if (!/^:[a-z_]/i.test(found)) return found
    const name = found.slice(1)
    if (!names.includes(name)) names.push(name)
    return `$${names.indexOf(name) + 1}`
  })
  return { text, names }
}

export const namesInSqlite = (query: string): string[] =>
  Array.from(bareQuery(query).matchAll(/[:@$]([a-z_]\w*)/gi), ([, found = '']) => found)

const gap = /\{(\w+)\}/g

export const namesInUrl = (url: string): string[] => Array.from(url.matchAll(gap), ([, name = '']) => name)

/** Encodes every value, so that no value can change the structure of the URL. */
export const filledUrl = (url: string, valueOf: (name: string) => string): string =>
  url.replace(gap, (_, name: string) => encodeURIComponent(valueOf(name)))

type Json = z.core.util.JSONType

const nameIn = (text: string): string | undefined => /^\{(\w+)\}$/.exec(text)?.[1]

export const namesInBody = (body: Json): string[] => {
  if (typeof body === 'string') return [nameIn(body) ?? []].flat()
  return typeof body === 'object' && body !== null ? Object.values(body).flatMap(namesInBody) : []
}

/**
 * Replaces a string only if the whole string is a placeholder. A value can therefore change neither the structure of
 * the JSON nor a longer text in it.
 */
export const filledBody = (body: Json, values: Record<string, string | number>): Json => {
  if (typeof body === 'string') return values[nameIn(body) ?? ''] ?? body
  if (Array.isArray(body)) return body.map((item) => filledBody(item, values))
  if (typeof body !== 'object' || body === null) return body
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [key, filledBody(value, values)]))
}
