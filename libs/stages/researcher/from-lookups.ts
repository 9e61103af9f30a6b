import type { Evidence } from '@plumbline/contracts'
import { contentId } from '@plumbline/knowledge/chunking/chunk'
import { tableLine } from '@plumbline/knowledge/chunking/markdown-table'
import { type LooseTable, tablesOf } from '@plumbline/knowledge/chunking/tables'
import { type Looked, type Lookup, lookupsWithin } from '@plumbline/ports/lookup'
import type { Scope } from '@plumbline/ports/passage-index/passage-index'
import type { FilledLookup, Skills } from '@plumbline/skills/skill/skill'
import type { Work } from '@plumbline/worker'
import { callOf } from '../handler/skill-call'

type Ports = { lookups: readonly Lookup[]; skills: Pick<Skills, 'fillLookup'> }
export type FromLookups = { passages: Evidence[]; degraded: string[] }

const tableOf = (looked: Looked): { text: string; tables: LooseTable[] } => {
  if (looked.kind === 'text') return { text: looked.text, tables: [] }
  const { columns, rows, cut } = looked
  const markdown = [columns, columns.map(() => '---'), ...rows].map(tableLine).join('\n')
  const text = cut ? `${markdown}\n\nThere are more rows, which are not shown.` : markdown
  return { text, tables: [{ markdown, table: { header: [columns], rows } }] }
}

/** Turns the result of a data source query (lookup) into a passage, so that it can be cited like a document. */
const passageOf = (
  { name, description, collections }: Lookup,
  values: Record<string, string>,
  looked: Looked,
  scope: Scope,
  at: Date,
): Evidence => {
  const given = Object.entries(values)
    .map(([param, value]) => `${param} ${value}`)
    .join(', ')
  const caption = `Table: ${description.replace(/[.\s]+$/, '')}${given === '' ? '' : ` (${given})`}`
  const told = tableOf(looked)
  const text = `${caption}\n\n${told.text}`
  return {
    id: `l${contentId(JSON.stringify([name, values, text]))}`,
    documentId: `lookup:${name}`,
    collection: collections.find((collection) => scope.collections.includes(collection)) ?? '',
    title: name,
    text,
    tables: tablesOf(text, told.tables),
    headingPath: [],
    position: 0,
    fetchedAt: at.toISOString(),
    scores: {},
  }
}

const isEmpty = (looked: Looked): boolean => (looked.kind === 'rows' ? looked.rows.length === 0 : looked.text === '')

const degradedBy = (names: readonly string[]): FromLookups => ({
  passages: [],
  degraded: names.map((name) => `lookup:${name}`),
})

const passagesFrom = async (
  lookup: Lookup,
  values: Record<string, string>,
  scope: Scope,
  signal: AbortSignal,
): Promise<FromLookups> => {
  try {
    const looked = await lookup.look(values, signal)
    return { passages: isEmpty(looked) ? [] : [passageOf(lookup, values, looked, scope, new Date())], degraded: [] }
  } catch {
    signal.throwIfAborted()
    return degradedBy([lookup.name])
  }
}

type Request = { question: string; lookups: readonly Lookup[]; isChosen: boolean }

const filledLookups = async (
  { fillLookup }: Ports['skills'],
  work: Work<'research'>,
  { question, lookups, isChosen }: Request,
): Promise<FilledLookup[]> => {
  const isComplete = ({ params }: Lookup): boolean => isChosen && params.length === 0
  const open = lookups.filter((lookup) => !isComplete(lookup))
  const cards = open.map(({ name, description, params }) => ({ name, description, params }))
  const filled =
    open.length > 0 ? await fillLookup({ question, lookups: cards, isChosen }, callOf(work, 'fillLookup')) : []
  return [...lookups.filter(isComplete).map(({ name }) => ({ name, values: {} })), ...filled]
}

/** Failed and missing lookups are skipped and listed in `degraded`. */
export const fromLookups = async (
  { lookups, skills }: Ports,
  work: Work<'research'>,
  question: string,
  scope: Scope,
  chosen: readonly string[] | undefined,
): Promise<FromLookups> => {
  const missing = chosen?.filter((name) => !lookups.some((lookup) => lookup.name === name)) ?? []
  const usable = lookupsWithin(lookups, scope).filter(({ name }) => chosen?.includes(name) ?? true)
  const request = { question, lookups: usable, isChosen: chosen !== undefined }
  const filled = await filledLookups(skills, work, request).catch(() => {
    work.signal.throwIfAborted()
    return null
  })
  if (filled === null) return degradedBy([...missing, ...usable.map(({ name }) => name)])
  const found = await Promise.all(
    filled.flatMap(({ name, values }) =>
      usable.filter((lookup) => lookup.name === name).map((lookup) => passagesFrom(lookup, values, scope, work.signal)),
    ),
  )
  const all = [degradedBy(missing), ...found]
  return { passages: all.flatMap(({ passages }) => passages), degraded: all.flatMap(({ degraded }) => degraded) }
}
