import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ReceivedSpan } from '@plumbline/testing/otlp-receiver'

const kinds = ['', 'internal', 'server', 'client', 'producer', 'consumer']
const anywhere = new Set(['error.type'])

/** A row of the table of spans in docs/run/tracing.md. */
type Row = { span: string; kind: string; isOf(span: ReceivedSpan): boolean; always: string[]; sometimes: string[] }

const rowOf = (line: string): Row[] => {
  const [, span, kind = '', attributes = ''] = /^\| `([^`]+)` \| (\w+) \| [^|]+ \| (.+) \|$/.exec(line) ?? []
  if (span === undefined) return []
  const pattern = new RegExp(`^${span.replaceAll(/\{\w+\}/g, '\\S+').replace('{method}', '[A-Z]+')}$`)
  const named = [...attributes.matchAll(/`([^`]+)`(\??)/g)].map(([, name = '', mark]) => ({
    name,
    isOptional: mark === '?',
  }))
  return [
    {
      span,
      kind,
      isOf: ({ name }) => pattern.test(name),
      always: named.filter(({ isOptional }) => !isOptional).map(({ name }) => name),
      sometimes: named.filter(({ isOptional }) => isOptional).map(({ name }) => name),
    },
  ]
}

const rows = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'run', 'tracing.md'), 'utf8')
  .split('\n')
  .flatMap(rowOf)

export const differencesFrom = (spans: ReceivedSpan[]): string[] => {
  const byRow = Map.groupBy(spans, (span) => rows.find((row) => row.isOf(span)))
  const unlisted = (byRow.get(undefined) ?? []).map(({ name }) => `${name}: has no row`)
  const wrong = rows.flatMap((row) => {
    const own = byRow.get(row) ?? []
    const seen = new Set(own.flatMap(({ attributes }) => Object.keys(attributes)))
    const known = new Set([...row.always, ...row.sometimes, ...anywhere])
    return [
      ...(own.length === 0 ? [`${row.span}: was not seen`] : []),
      ...own.filter(({ kind }) => kinds[kind] !== row.kind).map(({ kind }) => `${row.span}: is ${kinds[kind]}`),
      ...[...seen].filter((name) => !known.has(name)).map((name) => `${row.span}: ${name} is not in the table`),
      ...row.always
        .filter((name) => own.some(({ attributes }) => attributes[name] === undefined))
        .map((name) => `${row.span}: ${name} is missing`),
    ]
  })
  return [...new Set([...unlisted, ...wrong])]
}
