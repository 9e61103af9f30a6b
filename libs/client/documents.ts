import type { z } from 'zod'
import {
  CollectionList,
  type CollectionSettings,
  CollectionView,
  ComparedFiles,
  type DocumentFields,
  DocumentList,
  DocumentView,
  type FilesToCompare,
  type NewDocument,
  PageWords,
  ParsedDocument,
  PassageList,
  Reindexing,
  type Search,
  SearchResults,
  TakenDocument,
} from '@plumbline/contracts'
import { events, type Watching } from './events'
import {
  type Calls,
  type Connection,
  type Content,
  formOf,
  type Keyed,
  type Page,
  send,
  type Signalled,
} from './request'

type NewDocumentInput = z.input<typeof NewDocument>
type DocumentFieldsInput = z.input<typeof DocumentFields>
/** `words` finds documents by words of the title or name. `name` and `sha256` must be equal. */
type DocumentsAsked = {
  collection?: string
  status?: DocumentView['status']
  words?: string
  name?: string
  sha256?: string
}
type WatchingDocument = Omit<Watching, 'audience'>

const ended = ({ status }: DocumentView): boolean => status === 'indexed' || status === 'failed'

const fieldsOf = (fields: DocumentFieldsInput): [string, string][] =>
  Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, typeof value === 'string' ? value : JSON.stringify(value)]],
  )

export const documentsOf = ({ read, done }: Calls, connection: Connection) => ({
  addDocument: (document: NewDocumentInput, options?: Keyed) =>
    read(TakenDocument, ['documents'], { method: 'POST', json: document, ...options }),
  uploadDocument: (content: Content, filename: string, fields: DocumentFieldsInput = {}, options?: Keyed) =>
    read(TakenDocument, ['documents'], {
      method: 'POST',
      form: formOf(fieldsOf(fields), { content, filename }),
      ...options,
    }),
  /** Returns whether each file is new, changed or unchanged. An unchanged file need not be uploaded. */
  compareFiles: (files: z.input<typeof FilesToCompare>, options?: Signalled) =>
    read(ComparedFiles, ['documents', 'compare'], { method: 'POST', json: files, ...options }),
  document: (id: string, options?: Signalled) => read(DocumentView, ['documents', id], options),
  documents: ({ signal, ...query }: Page & DocumentsAsked = {}) => read(DocumentList, ['documents'], { query, signal }),
  /** Yields the document at every change, until indexing has succeeded or failed. */
  documentEvents: (id: string, watching?: WatchingDocument): AsyncGenerator<DocumentView> =>
    events(connection, { path: ['documents', id, 'events'], schema: DocumentView, isLast: ended }, watching),
  documentText: async (id: string, options?: Signalled): Promise<string> =>
    (await send(connection, ['documents', id, 'content'], { query: { as: 'markdown' }, ...options })).text(),
  documentContent: (id: string, options?: Signalled) =>
    read(ParsedDocument, ['documents', id, 'content'], { query: { as: 'json' }, ...options }),
  pageImage: async (id: string, page: number, options?: Signalled): Promise<Blob> =>
    (await send(connection, ['documents', id, 'pages', `${page}`], options)).blob(),
  pageWords: (id: string, page: number, options?: Signalled) =>
    read(PageWords, ['documents', id, 'pages', `${page}`, 'words'], options),
  retryDocument: (id: string, options?: Signalled) =>
    read(DocumentView, ['documents', id, 'retry'], { method: 'POST', ...options }),
  reindexDocument: (id: string, options?: Signalled) =>
    read(DocumentView, ['documents', id, 'reindex'], { method: 'POST', ...options }),
  removeDocument: (id: string, options?: Signalled) => done(['documents', id], { method: 'DELETE', ...options }),
  passages: (id: string, { signal, ...query }: Page = {}) =>
    read(PassageList, ['documents', id, 'passages'], { query, signal }),
  search: (search: z.input<typeof Search>, options?: Signalled) =>
    read(SearchResults, ['search'], { method: 'POST', json: search, ...options }),
})

export const collectionsOf = ({ read, done }: Calls) => ({
  putCollection: (name: string, settings: z.input<typeof CollectionSettings>, options?: Signalled) =>
    read(CollectionView, ['collections', name], { method: 'PUT', json: settings, ...options }),
  collection: (name: string, options?: Signalled) => read(CollectionView, ['collections', name], options),
  /** Removes the collection, including all its documents. */
  removeCollection: (name: string, options?: Signalled) =>
    done(['collections', name], { method: 'DELETE', ...options }),
  collections: (options?: Signalled) => read(CollectionList, ['collections'], options),
  reindex: (name: string, options?: Signalled) =>
    read(Reindexing, ['collections', name, 'reindex'], { method: 'POST', ...options }),
})
