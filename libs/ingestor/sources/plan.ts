import type { SourceDocument } from '@plumbline/adapters/redis'
import type { SourceItem } from '@plumbline/ports/document-source'

/** What the catalog holds of a source's document. */
type InCatalog = { status: string; digest: string; owner: string }

export type Given = {
  source: string
  /** What is there to be brought, by path. */
  items: ReadonlyMap<string, SourceItem>
  /** Every path there is, also of what is not brought. */
  present: ReadonlySet<string>
  known: ReadonlyMap<string, SourceDocument>
  catalog: ReadonlyMap<string, InCatalog>
  tagsOf(path: string): string[]
  /** Documents that failed are brought again though they are the same. */
  retryFailed: boolean
}

export type Coming = { item: SourceItem; before?: SourceDocument }
export type Plan = {
  bring: Coming[]
  /** The same content, which others may read from now on. */
  retag: { item: SourceItem; before: SourceDocument }[]
  unchanged: SourceItem[]
  gone: string[]
  /** Those of the gone whose content may come under another path: what stands by a digest is only known once it is read. */
  mayHaveMoved: Set<string>
}

const sameTags = (before: readonly string[] = [], wanted: readonly string[]): boolean =>
  before.length === wanted.length && before.every((tag, at) => tag === wanted[at])

/** The catalog holds what was brought: nothing that happened beside the source is in the way. */
const isAsBrought = ({ id, digest }: SourceDocument, { source, catalog, retryFailed }: Given): boolean => {
  const held = catalog.get(id)
  if (held?.owner !== source || held.digest !== digest) return false
  return held.status !== 'failed' || !retryFailed
}

const movedAmong = (gone: readonly string[], known: Given['known'], bring: readonly Coming[]): Set<string> => {
  const fresh = bring.filter(({ before }) => !before).map(({ item }) => item)
  const versions = new Set(fresh.map(({ version }) => version))
  const sizes = new Set(fresh.flatMap(({ size }) => size ?? []))
  return new Set(
    gone.filter((path) => {
      const { version = '', digest, bytes = -1 } = known.get(path) ?? {}
      return digest !== undefined && (versions.has(version) || sizes.has(bytes))
    }),
  )
}

/** What a run has to do so that the documents equal the source. */
export const planOf = (given: Given): Plan => {
  const { items, present, known, tagsOf } = given
  const gone = [...known.keys()].filter((path) => !present.has(path))
  const plan: Plan = { bring: [], retag: [], unchanged: [], gone, mayHaveMoved: new Set() }
  for (const item of items.values()) {
    const before = known.get(item.path)
    // Without a version it is a note of a run that broke off before it came.
    if (before?.version === undefined) plan.bring.push({ item })
    else if (before.version !== item.version || !isAsBrought(before, given)) plan.bring.push({ item, before })
    else if (!sameTags(before.access, tagsOf(item.path))) plan.retag.push({ item, before })
    else plan.unchanged.push(item)
  }
  plan.mayHaveMoved = movedAmong(gone, known, plan.bring)
  return plan
}

const removedFreely = 20

/**
 * So many documents gone at once may be a wrong, an unmounted or a half mounted source. If all are gone, that needs a confirmation
 * however few they are. A path that is only noted never brought a document, so it is not one of those left.
 */
export const isTooMuch = (
  gone: readonly string[],
  { known, catalog }: Pick<Given, 'known'> & { catalog: { has(id: string): boolean } },
): boolean => {
  if (gone.length === 0) return false
  const isGone = new Set(gone)
  const isAnyLeft = [...known].some(([path, { id }]) => !isGone.has(path) && catalog.has(id))
  return !isAnyLeft || (gone.length > removedFreely && gone.length * 2 > known.size)
}
