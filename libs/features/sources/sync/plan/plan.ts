import type { SourceDocument } from '../../store/source-documents'
import type { SourceItem } from '@plumbline/ports/document-source'

type InCatalog = { status: string; digest: string; owner: string }

export type PlanInput = {
  source: string
  items: ReadonlyMap<string, SourceItem>
  /** The paths of all files of the source, including files in unsupported formats. */
  present: ReadonlySet<string>
  known: ReadonlyMap<string, SourceDocument>
  catalog: ReadonlyMap<string, InCatalog>
  tagsOf(path: string): string[]
  retryFailed: boolean
}

export type FileToImport = { item: SourceItem; before?: SourceDocument }
export type Plan = {
  toImport: FileToImport[]
  /** Unchanged files whose access tags have changed. */
  retag: { item: SourceItem; before: SourceDocument }[]
  unchanged: SourceItem[]
  vanished: string[]
  /** The paths of vanished files that may have moved. The import compares their digests with those of new files. */
  mayHaveMoved: Set<string>
}

const sameTags = (before: readonly string[] = [], wanted: readonly string[]): boolean =>
  before.length === wanted.length && before.every((tag, at) => tag === wanted[at])

const isAsImported = ({ id, digest }: SourceDocument, { source, catalog, retryFailed }: PlanInput): boolean => {
  const held = catalog.get(id)
  if (held?.owner !== source || held.digest !== digest) return false
  return held.status !== 'failed' || !retryFailed
}

const movedPaths = (
  gone: readonly string[],
  known: PlanInput['known'],
  toImport: readonly FileToImport[],
): Set<string> => {
  const fresh = toImport.filter(({ before }) => !before).map(({ item }) => item)
  const versions = new Set(fresh.map(({ version }) => version))
  const sizes = new Set(fresh.flatMap(({ size }) => size ?? []))
  return new Set(
    gone.filter((path) => {
      const { version = '', digest, bytes = -1 } = known.get(path) ?? {}
      return digest !== undefined && (versions.has(version) || sizes.has(bytes))
    }),
  )
}

export const planOf = (given: PlanInput): Plan => {
  const { items, present, known, tagsOf } = given
  const gone = [...known.keys()].filter((path) => !present.has(path))
  const plan: Plan = { toImport: [], retag: [], unchanged: [], vanished: gone, mayHaveMoved: new Set() }
  for (const item of items.values()) {
    const before = known.get(item.path)
    // The version is missing if an earlier run listed the file but ended before it imported the file.
    if (before?.version === undefined) plan.toImport.push({ item })
    else if (before.version !== item.version || !isAsImported(before, given)) plan.toImport.push({ item, before })
    else if (!sameTags(before.access, tagsOf(item.path))) plan.retag.push({ item, before })
    else plan.unchanged.push(item)
  }
  plan.mayHaveMoved = movedPaths(gone, known, plan.toImport)
  return plan
}

const maxFreeRemovals = 20

/**
 * Returns whether documents are removed only after a confirmation: if all documents of a source are gone, or if more
 * than 20 and also more than half of them are gone. The source may then be the wrong one, or only partly mounted.
 */
export const needsConfirmation = (
  gone: readonly string[],
  { known, catalog }: Pick<PlanInput, 'known'> & { catalog: { has(id: string): boolean } },
): boolean => {
  if (gone.length === 0) return false
  const isGone = new Set(gone)
  const isAnyLeft = [...known].some(([path, { id }]) => !isGone.has(path) && catalog.has(id))
  return !isAnyLeft || (gone.length > maxFreeRemovals && gone.length * 2 > known.size)
}
