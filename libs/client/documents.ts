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
import { events } from './events'
import {
  type Connection,
  type Content,
  formOf,
  keyed,
  type Keyed,
  type Page,
  path,
  read,
  send,
  type Signalled,
  withSignal,
} from './request'

type NewDocumentInput = z.input<typeof NewDocument>
type DocumentFieldsInput = z.input<typeof DocumentFields>
/** `words`: what their titles and names hold. */
type DocumentsAsked = { collection?: string; status?: DocumentView['status']; words?: string }
type Watching = Signalled & { after?: string; giveUpMs?: number }

const ended = ({ status }: DocumentView): boolean => status === 'indexed' || status === 'failed'

const fieldsOf = (fields: DocumentFieldsInput): [string, string][] =>
  Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, typeof value === 'string' ? value : JSON.stringify(value)]],
  )

export const documentsOf = (connection: Connection) => {
  const one = (id: string, ...rest: string[]): string => path('documents', id, ...rest)
  return {
    /** A text, or a page by its url. */
    addDocument: (document: NewDocumentInput, options: Keyed = {}): Promise<TakenDocument> =>
      read(
        TakenDocument,
        send(connection, path('documents'), {
          method: 'POST',
          json: document,
          headers: keyed(options),
          ...withSignal(options),
        }),
      ),
    uploadDocument: (
      content: Content,
      filename: string,
      fields: DocumentFieldsInput = {},
      options: Keyed = {},
    ): Promise<TakenDocument> =>
      read(
        TakenDocument,
        send(connection, path('documents'), {
          method: 'POST',
          form: formOf(fieldsOf(fields), { content, filename }),
          headers: keyed(options),
          ...withSignal(options),
        }),
      ),
    /** Which files are new, changed or as they were, before any of them is sent. */
    compareFiles: (files: z.input<typeof FilesToCompare>, options: Signalled = {}): Promise<ComparedFiles> =>
      read(
        ComparedFiles,
        send(connection, path('documents', 'compare'), { method: 'POST', json: files, ...withSignal(options) }),
      ),
    document: (id: string, options: Signalled = {}): Promise<DocumentView> =>
      read(DocumentView, send(connection, one(id), withSignal(options))),
    documents: ({ signal, ...query }: Page & DocumentsAsked = {}): Promise<DocumentList> =>
      read(DocumentList, send(connection, path('documents'), { query, ...withSignal({ signal }) })),
    /** The document each time it has come further, until it is indexed or failed. */
    documentEvents: (id: string, watching: Watching = {}): AsyncGenerator<DocumentView> =>
      events(connection, { path: one(id, 'events'), schema: DocumentView, isLast: ended }, watching),
    /** The document as it was read, as Markdown. */
    documentText: async (id: string, options: Signalled = {}): Promise<string> =>
      (await send(connection, one(id, 'content'), { query: { as: 'markdown' }, ...withSignal(options) })).text(),
    /** The document as it was read, part by part with its pages. */
    documentContent: (id: string, options: Signalled = {}): Promise<ParsedDocument> =>
      read(ParsedDocument, send(connection, one(id, 'content'), { query: { as: 'json' }, ...withSignal(options) })),
    /** A page as people see it, as a PNG. */
    pageImage: async (id: string, page: number, options: Signalled = {}): Promise<Blob> =>
      (await send(connection, one(id, 'pages', `${page}`), withSignal(options))).blob(),
    /** The words of a page and where they stand on it. */
    pageWords: (id: string, page: number, options: Signalled = {}): Promise<PageWords> =>
      read(PageWords, send(connection, one(id, 'pages', `${page}`, 'words'), withSignal(options))),
    retryDocument: (id: string, options: Signalled = {}): Promise<DocumentView> =>
      read(DocumentView, send(connection, one(id, 'retry'), { method: 'POST', ...withSignal(options) })),
    removeDocument: async (id: string, options: Signalled = {}): Promise<void> =>
      void (await send(connection, one(id), { method: 'DELETE', ...withSignal(options) })),
  }
}

/** What questions find: passages, and how documents become these. */
export const passagesOf = (connection: Connection) => ({
  /** Its passages in its order, as questions find them. */
  passages: (id: string, { signal, ...query }: Page = {}): Promise<PassageList> =>
    read(PassageList, send(connection, path('documents', id, 'passages'), { query, ...withSignal({ signal }) })),
  reindexDocument: (id: string, options: Signalled = {}): Promise<DocumentView> =>
    read(DocumentView, send(connection, path('documents', id, 'reindex'), { method: 'POST', ...withSignal(options) })),
  search: (search: z.input<typeof Search>, options: Signalled = {}): Promise<SearchResults> =>
    read(SearchResults, send(connection, path('search'), { method: 'POST', json: search, ...withSignal(options) })),
})

export const collectionsOf = (connection: Connection) => ({
  putCollection: (
    name: string,
    settings: z.input<typeof CollectionSettings>,
    options: Signalled = {},
  ): Promise<CollectionView> =>
    read(
      CollectionView,
      send(connection, path('collections', name), { method: 'PUT', json: settings, ...withSignal(options) }),
    ),
  collection: (name: string, options: Signalled = {}): Promise<CollectionView> =>
    read(CollectionView, send(connection, path('collections', name), withSignal(options))),
  /** With every document in it. */
  removeCollection: async (name: string, options: Signalled = {}): Promise<void> =>
    void (await send(connection, path('collections', name), { method: 'DELETE', ...withSignal(options) })),
  collections: (options: Signalled = {}): Promise<CollectionList> =>
    read(CollectionList, send(connection, path('collections'), withSignal(options))),
  /** Reads every document of a collection again, as after a change of its settings. */
  reindex: (name: string, options: Signalled = {}): Promise<Reindexing> =>
    read(
      Reindexing,
      send(connection, path('collections', name, 'reindex'), { method: 'POST', ...withSignal(options) }),
    ),
})
