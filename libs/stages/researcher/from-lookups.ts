import type { Evidence } from '@plumbline/contracts'
import { contentId } from '@plumbline/knowledge/chunking/chunk'
import { tableLine } from '@plumbline/knowledge/chunking/markdown-table'
import { type LooseTable, tablesOf } from '@plumbline/knowledge/chunking/tables'
import type { Looked, Lookup } from '@plumbline/ports/lookup'
import type { Scope } from '@plumbline/ports/passage-index/passage-index'
import type { Skills } from '@plumbline/skills/skill/skill'
import type { Work } from '@plumbline/worker'
import { callOf } from '../handler/skill-call'

type Ports = { lookups: readonly Lookup[]; skills: Pick<Skills, 'fillLookup'>; isChosen?: boolean }
export type FromLookups = { passages: Evidence[]; degraded: string[] }

const tableOf = (looked: Looked): { text: string; tables: LooseTable[] } => {
  if (looked.kind === 'text') return { text: looked.text, tables: [] }
  const { columns, rows, cut } = looked
  const markdown = [columns, columns.map(() => '---'), ...rows].map(tableLine).join('\n')
  const text = cut ? `${markdown}\n\nThere are more rows, which are not shown.` : markdown
  return { text, tables: [{ markdown, table: { header: [columns], rows } }] }
}

/** Returns the result of a lookup as a passage, so that it can be cited like a document. A table gets a caption. */
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

/** A failed lookup is skipped and listed in `degraded`. */
export const fromLookups = async (
  { lookups, skills, isChosen = false }: Ports,
  work: Work<'research'>,
  question: string,
  scope: Scope,
): Promise<FromLookups> => {
  const { signal } = work
  // Filters apply to document metadata, which lookups do not have. With a filter, no lookup runs.
  const allowed =
    Object.keys(scope.filters).length > 0
      ? []
      : lookups.filter(
          ({ tenants, collections }) =>
            tenants.includes(scope.tenant) && collections.some((each) => scope.collections.includes(each)),
        )
  const found = await Promise.all(
    allowed.map(async (lookup): Promise<FromLookups> => {
      try {
        const { name, description, params } = lookup
        const values = await skills.fillLookup(
          { question, lookup: { name, description, params }, isChosen },
          callOf(work, 'fillLookup'),
        )
        if (values === null) return { passages: [], degraded: [] }
        const looked = await lookup.look(values, signal)
        return { passages: isEmpty(looked) ? [] : [passageOf(lookup, values, looked, scope, new Date())], degraded: [] }
      } catch {
        signal.throwIfAborted()
        return { passages: [], degraded: [`lookup:${lookup.name}`] }
      }
    }),
  )
  return { passages: found.flatMap(({ passages }) => passages), degraded: found.flatMap(({ degraded }) => degraded) }
}

/** If no lookup has the rule's name, none runs and the name is listed in `degraded`. */
export const fromLookup = async (
  { lookups, skills }: Ports,
  work: Work<'research'>,
  question: string,
  scope: Scope,
  name: string,
): Promise<FromLookups> => {
  const named = lookups.filter((lookup) => lookup.name === name)
  return named.length > 0
    ? fromLookups({ lookups: named, skills, isChosen: true }, work, question, scope)
    : { passages: [], degraded: [`lookup:${name}`] }
}
