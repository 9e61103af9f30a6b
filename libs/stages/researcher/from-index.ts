import type { CollectionView, Evidence } from '@plumbline/contracts'
import type { Policy, Result, Run, Step } from '@plumbline/flow'
import { spread } from '@plumbline/knowledge/spread'
import { words } from '@plumbline/knowledge/text'
import type { Embedder } from '@plumbline/ports/search-models'
import type { Lookup } from '@plumbline/ports/lookup'
import { type Access, onlyMethod, type PassageIndex, type Scope } from '@plumbline/ports/passage-index/passage-index'
import type { Skills } from '@plumbline/skills/skill/skill'
import type { Work } from '@plumbline/worker'
import type { ReadCollections } from '../handler/caches'
import { findElsewhere } from './elsewhere'
import { fromLookups } from './from-lookups'
import { retryQueries, plannedQueries } from './queries'
import { defaultsWith, type RetrievalDefaults } from './retrieval-defaults'
import type { RetrievalPorts } from './retrieve'
import { retrieveAsSet } from './search'
import { searchOnceRead } from './search-once-read'

/** The maximum number of passages read for a summary. Citation numbers have only two digits, so it is below 100. */
const most = 96
/** The document to summarize is chosen by its title among this many search results. */
const hits = 40

/** Rates from 0 to 1 how well a title fits the asker's words. Other words in the title lower the rating. */
const fit = (asked: Set<string>, title: string): number => {
  const own = new Set(words(title))
  return [...asked].filter((word) => own.has(word)).length / Math.max(1, asked.size, own.size)
}

const fromDocument = async (
  index: PassageIndex,
  title: string,
  scope: Scope,
  signal: AbortSignal,
): Promise<Evidence[]> => {
  const asked = new Set(words(title))
  const found = await index.search(scope, { text: title, vector: null }, onlyMethod('bm25', { k: hits }), signal)
  const [best] = found.map(({ passage }) => ({ passage, fit: fit(asked, passage.title) })).sort((a, b) => b.fit - a.fit)
  if (!best || best.fit === 0) return []
  const passages = await index.passages(scope, best.passage.documentId, null, signal)
  return spread(passages, most).map((passage): Evidence => ({ ...passage, scores: {}, query: title }))
}

export type IndexPorts = RetrievalPorts & {
  skills: Pick<Skills, 'fillLookup' | 'rewriteQuery'>
  lookups?: readonly Lookup[]
  beingRead?: (scope: Scope) => Promise<number>
  /** Returns how many documents in the scope have just arrived and are not indexed yet. */
  arriving?: (scope: Scope) => Promise<number>
  collections?: ReadCollections
  readable?: (tenant: string, access: Access) => Promise<readonly string[]>
}

export const scopeOf = (run: Run): Scope => ({
  tenant: run.tenant,
  collections: run.route?.collections.length ? run.route.collections : run.collections,
  filters: run.filters ?? {},
  access: run.access ?? [],
})

const listed = (names: readonly string[]): string =>
  `the ${names.length === 1 ? 'collection' : 'collections'} ${names.join(', ')}`

type Nothing = { reason: string; note?: string; beingRead?: number }
const plainly = (reason: string): Nothing => ({ reason, note: `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.` })

/**
 * Explains why a search found nothing. The asker sees only `note`, which must not reveal whether there are documents
 * that the asker may not read.
 */
const emptyReason = async (
  { index, beingRead }: IndexPorts,
  scope: Scope,
  views: readonly CollectionView[] | null,
  signal: AbortSignal,
): Promise<Nothing> => {
  const { collections } = scope
  if (collections.length === 0) return plainly('there is no collection to search')
  const gone = views ? collections.filter((name) => !views.some((view) => view.name === name)) : []
  if (gone.length === collections.length)
    return plainly(`${listed(gone)} ${gone.length === 1 ? 'does' : 'do'} not exist`)
  const reading = (await beingRead?.(scope)) ?? 0
  if (reading > 0) {
    const which = reading === 1 ? '1 document' : `${reading} documents`
    return {
      ...plainly(`${which} of ${listed(collections)} ${reading === 1 ? 'is' : 'are'} still being read`),
      beingRead: reading,
    }
  }
  const note = `No document in ${listed(collections)} is readable: there are no documents yet, or the asker may read none of them.`
  const held = await index.count({ ...scope, filters: {}, access: 'all' }, signal)
  if (held === 0)
    return { reason: `${listed(collections)} contain${collections.length === 1 ? 's' : ''} no passages yet`, note }
  const open = await index.count({ ...scope, filters: {} }, signal)
  if (open === 0) return { reason: `the asker may read no document in ${listed(collections)}`, note }
  if (Object.keys(scope.filters).length > 0 && (await index.count(scope, signal)) === 0)
    return plainly(`no document in ${listed(collections)} matches the filters`)
  return { reason: `nothing in ${listed(collections)} shares a word with the queries` }
}

const hintOf = async (
  { index, readable }: IndexPorts,
  scope: Scope,
  query: string,
  signal: AbortSignal,
): Promise<string | undefined> => {
  if (!readable) return undefined
  const { tenant, access } = scope
  const other = await findElsewhere(index, { scope, query, readable: () => readable(tenant, access), signal })
  return other && `The collection ${other} contains words of the question.`
}

const withHint = (
  { collections }: Scope,
  hint: string,
  note = `No document in ${listed(collections)} contains a word of the question.`,
): string => `${note} ${hint}`

const settingsOf = ({ perQuery, atLeast, neighbours }: Policy, embedder: Embedder): RetrievalDefaults => {
  const defaults = defaultsWith(embedder)
  const { evidence } = defaults
  const around = { ...defaults.neighbours, each: neighbours ?? defaults.neighbours.each }
  return {
    ...defaults,
    neighbours: around,
    evidence: { ...evidence, perQuery: perQuery ?? evidence.perQuery, atLeast: atLeast ?? evidence.atLeast },
  }
}

const viewsOf = async ({ collections }: IndexPorts, scope: Scope): Promise<CollectionView[] | null> =>
  collections ? collections(scope.tenant, scope.collections) : null

/** A search that starts before the route is known uses no data sources (lookups). The regular search uses them. */
const lookupsFor = ({ lookups = [] }: IndexPorts, { ahead, route }: Run): readonly Lookup[] =>
  ahead !== undefined && route === undefined ? [] : lookups

export const fromIndex = async (
  ports: IndexPorts,
  work: Work<'research'>,
  question: string,
  step: Step,
): Promise<Result<'research'>> => {
  const { run, task, signal } = work
  const scope = scopeOf(run)
  const whole: Evidence[] =
    run.sumUp === undefined || task.failed ? [] : await fromDocument(ports.index, run.sumUp, scope, signal)
  if (whole.length > 0)
    return {
      outcome: 'found',
      source: 'index',
      queries: [question],
      passages: whole,
      reason: 'a summary needs the whole document',
    }
  const lookups = { skills: ports.skills, lookups: lookupsFor(ports, run) }
  const first =
    run.lookup === undefined || task.failed
      ? undefined
      : await fromLookups(lookups, work, question, scope, [run.lookup])
  if (first && first.passages.length > 0)
    return { outcome: 'found', source: 'index', queries: [question], passages: first.passages }
  const asked = task.failed
    ? await retryQueries(ports.skills, work, question, task.failed)
    : plannedQueries(question, step)
  if (asked.queries.length === 0) return { outcome: 'nothing', source: 'index', ...asked }
  const without = run.policy.keepEvidence === 'unite' ? task.failed?.passageIds : []
  const views = await viewsOf(ports, scope)
  const [retrieved, looked] = await Promise.all([
    searchOnceRead(ports, work, scope, () =>
      retrieveAsSet(
        ports,
        views ?? [],
        { scope, queries: asked.queries, signal, onCall: work.onCall, ...(without && { without }) },
        settingsOf(run.policy, ports.embedder),
      ),
    ),
    first ?? fromLookups(lookups, work, question, scope, step.lookups ?? run.lookups),
  ])
  const passages = [...looked.passages.filter(({ id }) => !without?.includes(id)), ...retrieved.passages]
  const degraded = [...retrieved.degraded, ...looked.degraded]
  const brought = {
    ...asked,
    source: 'index' as const,
    ...(degraded.length > 0 && { degraded }),
    ...(retrieved.cached !== undefined && { cached: retrieved.cached }),
  }
  const isByWords = looked.passages.length > 0 || passages.some(({ scores }) => scores.bm25 !== undefined)
  const hint = isByWords || task.failed ? undefined : await hintOf(ports, scope, question, signal)
  if (passages.length > 0)
    return { outcome: 'found', passages, ...brought, ...(hint && { note: withHint(scope, hint) }) }
  if (without?.length)
    return { outcome: 'nothing', ...brought, reason: 'the search found only passages that failed an earlier check' }
  const { note: empty, ...why } = await emptyReason(ports, scope, views, signal)
  const note = hint ? withHint(scope, hint, empty) : empty
  return { outcome: 'nothing', ...brought, ...why, ...(note && !task.failed && { note }) }
}
