import type { DocumentSource, DocumentView } from '@plumbline/contracts'
import type { Told } from './document-identity'

/** What a document says of itself, as it stands in the catalog. Sources came later than documents. */
export type KeptDocument = Told & { source?: DocumentSource }
/** A document's hash as Redis gives it. */
export type Held = Record<string, string>

const iso = (ms: string | undefined): string => new Date(Number(ms)).toISOString()
const json = <T>(text: string | undefined): T | undefined => (text ? (JSON.parse(text) as T) : undefined)

export const keptDocument = ({ document }: Held): KeptDocument => JSON.parse(document ?? '{}') as KeptDocument

const lastOf = (path: string): string => path.split(/[/\\]/).at(-1) ?? path

/** What it is called before its own title is known. */
const callName = ({ title, name, source }: KeptDocument, found: string | undefined): string =>
  title ??
  (found ||
    lastOf(name ?? (source?.kind === 'file' ? source.file : source?.kind === 'url' ? source.url : 'A document')))

const progressOf = ({ passages, percent, pages, ofPages }: Held): DocumentView['progress'] => ({
  passages: Number(passages ?? 0),
  percent: Number(percent ?? 0),
  ...(pages && { pages: Number(pages) }),
  ...(ofPages && { ofPages: Number(ofPages) }),
})

/** Null when there is no such document of this tenant. */
export const viewOf = (id: string, tenant: string, held: Held): DocumentView | null => {
  if (held.tenant !== tenant) return null
  const { status, task, version, served, servedVersion, revision, error, problem, notes } = held
  const document = keptDocument(held)
  const older = served && served !== revision
  return {
    id,
    ...document,
    title: callName(document, held.title),
    status: status as DocumentView['status'],
    ...(task && { task: task as NonNullable<DocumentView['task']> }),
    progress: progressOf(held),
    ...(version && { version }),
    ...(older && servedVersion && { served: servedVersion }),
    ...(error && { error: older ? `${error} Questions still find the version before it.` : error }),
    ...(problem && { problem: json<NonNullable<DocumentView['problem']>>(problem) }),
    ...(notes && { notes: json<string[]>(notes) }),
    createdAt: iso(held.createdAt),
    updatedAt: iso(held.updatedAt),
  }
}
