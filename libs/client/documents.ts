import {
  CollectionList,
  type CollectionSettings,
  CollectionView,
  type DocumentFields,
  DocumentList,
  DocumentView,
  type NewDocument,
  ParsedDocument,
  Reindexing,
  TakenDocument,
} from '@plumbline/contracts'
import type { z } from 'zod'
import { events } from './events'
import { formOf, type Content } from './form'
import { keyed, path, withSignal, type Keyed, type Page, type Signalled } from './options'
import { read, send, type Connection } from './request'

type NewDocumentInput = z.input<typeof NewDocument>
type DocumentFieldsInput = z.input<typeof DocumentFields>
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
    document: (id: string, options: Signalled = {}): Promise<DocumentView> =>
      read(DocumentView, send(connection, one(id), withSignal(options))),
    documents: ({
      cursor,
      limit,
      collection,
      status,
      ...options
    }: Page & { collection?: string; status?: DocumentView['status'] } = {}): Promise<DocumentList> =>
      read(
        DocumentList,
        send(connection, path('documents'), { query: { cursor, limit, collection, status }, ...withSignal(options) }),
      ),
    /** The document each time it has come further, until it is indexed or failed. */
    documentEvents: (id: string, watching: Watching = {}): AsyncGenerator<DocumentView> =>
      events(connection, { path: one(id, 'events'), schema: DocumentView, isLast: ended }, watching),
    /** The document as it was read, as Markdown. */
    documentText: async (id: string, options: Signalled = {}): Promise<string> =>
      (await send(connection, one(id, 'content'), { query: { as: 'markdown' }, ...withSignal(options) })).text(),
    /** The document as it was read, part by part with its pages. */
    documentContent: (id: string, options: Signalled = {}): Promise<ParsedDocument> =>
      read(ParsedDocument, send(connection, one(id, 'content'), { query: { as: 'json' }, ...withSignal(options) })),
    retryDocument: (id: string, options: Signalled = {}): Promise<DocumentView> =>
      read(DocumentView, send(connection, one(id, 'retry'), { method: 'POST', ...withSignal(options) })),
    removeDocument: async (id: string, options: Signalled = {}): Promise<void> =>
      void (await send(connection, one(id), { method: 'DELETE', ...withSignal(options) })),
  }
}

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
  collections: (options: Signalled = {}): Promise<CollectionList> =>
    read(CollectionList, send(connection, path('collections'), withSignal(options))),
  /** Reads every document of a collection again, as after a change of its settings. */
  reindex: (name: string, options: Signalled = {}): Promise<Reindexing> =>
    read(
      Reindexing,
      send(connection, path('collections', name, 'reindex'), { method: 'POST', ...withSignal(options) }),
    ),
})
