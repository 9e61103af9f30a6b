/** What crosses the border between the index and its threads. `access` is null for whoever may read everything. */
export type ScopeRow = { tenant: string; collections: readonly string[]; filters: Readonly<Record<string, string>>; access: string[] | null }
export type DocumentRow = {
  id: string
  collection: string
  version: string
  metadata: Readonly<Record<string, string>>
  access: readonly string[]
  space: string
}
export type PassageRow = { passage: string; position: number; title: string; headings: string; text: string; vector: Uint8Array }
export type FoundRow = { passage: string; score: number; vector: Uint8Array | null }

export type Calls = {
  write: (tenant: string, document: DocumentRow, rows: PassageRow[]) => void
  remove: (tenant: string, documentId: string) => void
  similar: (scope: ScopeRow, space: string, vector: Uint8Array, k: number) => FoundRow[]
  matching: (scope: ScopeRow, expression: string, k: number) => FoundRow[]
  passages: (scope: ScopeRow, documentId: string, from: number, to: number) => { passage: string }[]
  count: (scope: ScopeRow) => number
  close: () => void
}
export type CallName = keyof Calls
export type Request = { id: number; call: CallName; args: unknown[] } | { id: number; call: 'cancel' }
export type Response = { id: number; ok: true; value: unknown } | { id: number; ok: false; code: string; message: string }
