import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments, stringify } from 'yaml'
import { Templates, type Functions } from './go-template'

export const chart = join(import.meta.dirname, '..', 'chart')

export type Manifest = {
  apiVersion: string
  kind: string
  metadata: { name: string; labels?: Record<string, string> }
} & Record<string, unknown>

const indented = (by: number, text: string): string => text.replaceAll(/^(?=.)/gm, ' '.repeat(by))
const yamlOf = (value: unknown): string => stringify(value, { lineWidth: 0 }).trimEnd()

/** What the chart calls of Go's, Sprig's and Helm's functions. */
const functions: Functions = {
  default: (fallback, value) =>
    value === undefined || value === null || value === '' || value === 0 || value === false ? fallback : value,
  quote: (value) => JSON.stringify(String(value ?? '')),
  upper: (value) => String(value).toUpperCase(),
  toYaml: yamlOf,
  toJson: (value) => JSON.stringify(value),
  indent: (by, text) => indented(Number(by), String(text)),
  nindent: (by, text) => `\n${indented(Number(by), String(text))}`,
  sha256sum: (text) => createHash('sha256').update(String(text)).digest('hex'),
  dict: (...pairs) => Object.fromEntries(pairs.flatMap((key, at) => (at % 2 === 0 ? [[key, pairs[at + 1]]] : []))),
  list: (...items) => items,
  append: (items, item) => [...(items as unknown[]), item],
  concat: (...lists) => lists.flat(),
  has: (item, items) => (items as unknown[]).includes(item),
  hasKey: (map, key) => Object.hasOwn(map as object, String(key)),
  index: (map, key) => ((map ?? {}) as Record<string, unknown>)[String(key)],
  ternary: (one, other, is) => (is ? one : other),
  eq: (one, other) => one === other,
  gt: (one, other) => Number(one) > Number(other),
  not: (value) => !value,
  and: (...values) => values.find((value) => !value) ?? values.at(-1),
  add: (...values) => values.reduce<number>((sum, value) => sum + Number(value), 0),
  mul: (...values) => values.reduce<number>((product, value) => product * Number(value), 1),
  int: (value) => Number(value),
  printf: (format, ...values) => String(format).replaceAll(/%[sdv]/g, () => String(values.shift())),
  fail: (why) => {
    throw new Error(String(why))
  },
}

type Values = Record<string, unknown>
const isMap = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value)

/** As Helm lays one set of values over another: maps are joined, all else is replaced, and null takes away. */
export const laidOver = (base: Values, over: Values): Values => {
  const joined = { ...base }
  for (const [key, value] of Object.entries(over)) {
    const below = joined[key]
    if (value === null) delete joined[key]
    else joined[key] = isMap(below) && isMap(value) ? laidOver(below, value) : value
  }
  return joined
}

export const valuesOf = (file: string): Values => (parse(readFileSync(file, 'utf8')) ?? {}) as Values
export const defaults = (): Values => valuesOf(join(chart, 'values.yaml'))

/** The manifests the chart makes of these values, by the template they come from. */
export const renderChart = (
  values: Values,
  release = { Name: 'plumbline', Namespace: 'plumbline', Service: 'Helm' },
): Map<string, Manifest[]> => {
  const { name, version, appVersion } = valuesOf(join(chart, 'Chart.yaml'))
  const dot = {
    Values: laidOver(defaults(), values),
    Release: release,
    Files: { Get: (file: unknown) => readFileSync(join(chart, String(file)), 'utf8') },
    Chart: { Name: name, Version: version, AppVersion: appVersion },
  }
  const templates = new Templates(functions)
  const read = (file: string) => templates.read(readFileSync(join(chart, 'templates', file), 'utf8'))
  read('_helpers.tpl')
  const files = readdirSync(join(chart, 'templates')).filter((file) => file.endsWith('.yaml'))
  return new Map(
    files.map((file) => {
      const text = read(file)(dot)
      const documents = parseAllDocuments(text)
      const faults = documents.flatMap(({ errors }) => errors)
      if (faults.length > 0) throw new Error(`${file}: ${faults.join('\n')}\n${text}`)
      return [file, documents.map((document) => document.toJS() as Manifest | null).filter((one) => one !== null)]
    }),
  )
}
