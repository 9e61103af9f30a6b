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

export type Coming = { item: SourceItem; as: 'added' | 'changed' | 'moved'; before?: SourceDocument; movedFrom?: string }
export type Plan = {
  bring: Coming[]
  /** The same content, which others may read from now on. */
  retag: { item: SourceItem; before: SourceDocument }[]
  unchanged: SourceItem[]
  /** Without those that moved. */
  gone: string[]
}

const sameTags = (before: readonly string[] = [], wanted: readonly string[]): boolean =>
  before.length === wanted.length && before.every((tag, at) => tag === wanted[at])

/** Gone paths by what the source said of them, so that a file under a new path is known again. */
const goneByVersion = (gone: readonly string[], known: Given['known']): Map<string, string[]> => {
  const byVersion = new Map<string, string[]>()
  for (const path of gone) {
    const { version, digest } = known.get(path) ?? {}
    if (version === undefined || digest === undefined) continue
    byVersion.set(version, [...(byVersion.get(version) ?? []), path])
  }
  return byVersion
}

/** The catalog holds what was brought: nothing that happened beside the source is in the way. */
const isAsBrought = ({ id, digest }: SourceDocument, { source, catalog, retryFailed }: Given): boolean => {
  const held = catalog.get(id)
  if (held?.owner !== source || held.digest !== digest) return false
  return held.status !== 'failed' || !retryFailed
}

/** What a run has to do so that the documents equal the source. */
export const planOf = (given: Given): Plan => {
  const { items, present, known, tagsOf } = given
  const missing = [...known.keys()].filter((path) => !present.has(path))
  const candidates = goneByVersion(missing, known)
  const moved = new Set<string>()
  const plan: Plan = { bring: [], retag: [], unchanged: [], gone: [] }
  for (const item of items.values()) {
    const before = known.get(item.path)
    if (before?.version === undefined) {
      // A run that broke off may have noted the new path already.
      const movedFrom = candidates.get(item.version)?.pop()
      if (movedFrom !== undefined) moved.add(movedFrom)
      plan.bring.push({ item, as: movedFrom === undefined ? 'added' : 'moved', ...(movedFrom !== undefined && { movedFrom }) })
    } else if (before.version !== item.version || !isAsBrought(before, given))
      plan.bring.push({ item, as: 'changed', before })
    else if (!sameTags(before.access, tagsOf(item.path))) plan.retag.push({ item, before })
    else plan.unchanged.push(item)
  }
  plan.gone = missing.filter((path) => !moved.has(path))
  return plan
}

const removedFreely = 20

/** So many documents gone at once may be a wrong or half mounted source. */
export const isTooMuch = (gone: number, of: number): boolean => gone > removedFreely && gone * 2 > of
