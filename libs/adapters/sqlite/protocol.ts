import type { IndexedDocument, Scope } from '@plumbline/ports/passage-index'

/** What crosses the border between the index and its threads. */
export type PassageRow = {
  passage: string
  position: number
  title: string
  headings: string
  text: string
  vector: Uint8Array
}
/** `document` is the key of its document as it was written: one that replaces another has a higher key. */
export type FoundRow = { passage: string; document: number; score: number; vector: Uint8Array | null }

export type Calls = {
  write: (tenant: string, document: IndexedDocument, rows: PassageRow[]) => void
  remove: (tenant: string, documentId: string) => void
  similar: (scope: Scope, space: string, vector: Uint8Array, k: number) => FoundRow[]
  matching: (scope: Scope, expression: string, k: number) => FoundRow[]
  passages: (scope: Scope, documentId: string, from: number, to: number) => { passage: string }[]
  count: (scope: Scope) => number
  close: () => void
}
export type CallName = keyof Calls
export type Request = { id: number; call: CallName; args: unknown[] } | { id: number; call: 'cancel' }
export type Response =
  { id: number; ok: true; value: unknown } | { id: number; ok: false; code: string; message: string }
