import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { getLoadablePath } from 'sqlite-vec'
import type { CallName, Calls, FoundRow, Request, Response, ScopeRow } from './protocol'

const schema = `
  CREATE TABLE IF NOT EXISTS tenants (key INTEGER PRIMARY KEY, tenant TEXT NOT NULL UNIQUE);
  CREATE TABLE IF NOT EXISTS documents (
    key INTEGER PRIMARY KEY, tenant INTEGER NOT NULL, id TEXT NOT NULL, collection TEXT NOT NULL,
    metadata TEXT NOT NULL, access TEXT NOT NULL, space TEXT NOT NULL, UNIQUE (tenant, id));
  CREATE INDEX IF NOT EXISTS documents_by_collection ON documents (tenant, collection);
  CREATE TABLE IF NOT EXISTS passages (key INTEGER PRIMARY KEY, document INTEGER NOT NULL, passage TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS passages_by_document ON passages (document);
  CREATE TABLE IF NOT EXISTS vectors (key INTEGER PRIMARY KEY, document INTEGER NOT NULL, vector BLOB NOT NULL);
  CREATE INDEX IF NOT EXISTS vectors_by_document ON vectors (document);
`
const inScope = `d.tenant = ?1 AND d.collection IN (SELECT value FROM json_each(?2)) AND NOT EXISTS (
  SELECT 1 FROM json_each(?3) wanted WHERE NOT EXISTS (
    SELECT 1 FROM json_each(d.metadata) held WHERE held.key = wanted.key AND held.value = wanted.value))
  AND (?4 IS NULL OR d.access = '[]' OR EXISTS (SELECT 1 FROM json_each(d.access) tag WHERE tag.value IN (SELECT value FROM json_each(?4))))`

const busy = 5
/** SQLite does not wait for other processes while it changes a file's journal mode. */
const patiently = (work: () => void): void => {
  for (const until = Date.now() + 10_000; ; Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)) {
    try {
      return work()
    } catch (error) {
      if (((error as { errcode?: number }).errcode ?? 0) % 256 !== busy || Date.now() > until) throw error
    }
  }
}

const open = (file: string): DatabaseSync => {
  const opened = new DatabaseSync(file, { allowExtension: true, timeout: 10_000 })
  opened.loadExtension(getLoadablePath())
  opened.enableLoadExtension(false)
  patiently(() => opened.exec('PRAGMA journal_mode = WAL'))
  opened.exec('PRAGMA synchronous = NORMAL; PRAGMA mmap_size = 268435456')
  return opened
}
const db = open((workerData as { file: string }).file)

const inOneStep = (work: () => void): void => {
  db.exec('BEGIN IMMEDIATE')
  try {
    work()
    db.exec('COMMIT')
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}
inOneStep(() => db.exec(schema))

const tenantKey = (tenant: string): number | undefined => {
  const row = db.prepare('SELECT key FROM tenants WHERE tenant = ?').get(tenant)
  return row === undefined ? undefined : Number(row.key)
}

/** Each tenant has a word table of its own, so that no tenant's words weigh in another's BM25. */
const wordsOf = (tenant: number): string => `words_${tenant}`
const addTenant = (tenant: string): number => {
  const known = tenantKey(tenant)
  if (known !== undefined) return known
  const key = Number(db.prepare('INSERT INTO tenants (tenant) VALUES (?)').run(tenant).lastInsertRowid)
  db.exec(`CREATE VIRTUAL TABLE ${wordsOf(key)} USING fts5(title, headings, text, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 0 tokenchars '_.'")`)
  return key
}

const drop = (tenant: number, documentId: string): void => {
  const document = db.prepare('SELECT key FROM documents WHERE tenant = ? AND id = ?').get(tenant, documentId)?.key
  if (document === undefined) return
  db.prepare(`DELETE FROM ${wordsOf(tenant)} WHERE rowid IN (SELECT key FROM passages WHERE document = ?)`).run(document)
  for (const table of ['vectors', 'passages']) db.prepare(`DELETE FROM ${table} WHERE document = ?`).run(document)
  db.prepare('DELETE FROM documents WHERE key = ?').run(document)
}

const scoped = (scope: ScopeRow, tenant: number) => [tenant, JSON.stringify(scope.collections), JSON.stringify(scope.filters), scope.access && JSON.stringify(scope.access)] as const

const calls: Calls = {
  write: (tenant, document, rows) =>
    inOneStep(() => {
      const key = addTenant(tenant)
      drop(key, document.id)
      const { lastInsertRowid: owner } = db
        .prepare('INSERT INTO documents (tenant, id, collection, metadata, access, space) VALUES (?, ?, ?, ?, ?, ?)')
        .run(key, document.id, document.collection, JSON.stringify(document.metadata), JSON.stringify(document.access), document.space)
      const passage = db.prepare('INSERT INTO passages (document, passage) VALUES (?, ?)')
      const vector = db.prepare('INSERT INTO vectors (key, document, vector) VALUES (?, ?, ?)')
      const words = db.prepare(`INSERT INTO ${wordsOf(key)} (rowid, title, headings, text) VALUES (?, ?, ?, ?)`)
      for (const row of rows) {
        const { lastInsertRowid: id } = passage.run(owner, row.passage)
        vector.run(id, owner, row.vector)
        words.run(id, row.title, row.headings, row.text)
      }
    }),

  remove: (tenant, documentId) =>
    inOneStep(() => {
      const key = tenantKey(tenant)
      if (key !== undefined) drop(key, documentId)
    }),

  similar: (scope, space, vector, k) => {
    const tenant = tenantKey(scope.tenant)
    if (tenant === undefined) return []
    return db
      .prepare(
        `SELECT p.passage, 1 - near.distance AS score, near.vector FROM (
           SELECT v.key, v.vector, coalesce(vec_distance_cosine(v.vector, ?5), 1) AS distance
           FROM documents d JOIN vectors v ON v.document = d.key WHERE ${inScope} AND d.space = ?6 ORDER BY distance, v.key LIMIT ?7
         ) near JOIN passages p ON p.key = near.key ORDER BY near.distance, near.key`,
      )
      .all(...scoped(scope, tenant), vector, space, k) as FoundRow[]
  },

  matching: (scope, expression, k) => {
    const tenant = tenantKey(scope.tenant)
    if (tenant === undefined) return []
    const words = wordsOf(tenant)
    return db
      .prepare(
        `SELECT p.passage, -${words}.rank AS score, NULL AS vector FROM ${words}
         CROSS JOIN passages p ON p.key = ${words}.rowid CROSS JOIN documents d ON d.key = p.document
         WHERE ${words} MATCH ?5 AND ${inScope} ORDER BY ${words}.rank LIMIT ?6`,
      )
      .all(...scoped(scope, tenant), expression, k) as FoundRow[]
  },

  passages: (scope, documentId) => {
    const tenant = tenantKey(scope.tenant)
    if (tenant === undefined) return []
    return db
      .prepare(`SELECT p.passage FROM documents d JOIN passages p ON p.document = d.key WHERE ${inScope} AND d.id = ?5 ORDER BY p.key`)
      .all(...scoped(scope, tenant), documentId) as { passage: string }[]
  },

  count: (scope) => {
    const tenant = tenantKey(scope.tenant)
    if (tenant === undefined) return 0
    return Number(db.prepare(`SELECT count(*) AS n FROM documents d JOIN passages p ON p.document = d.key WHERE ${inScope}`).get(...scoped(scope, tenant))?.n ?? 0)
  },

  close: () => db.close(),
}

const answer = (id: number, call: CallName, args: unknown[]): Response => {
  try {
    return { id, ok: true, value: (calls[call] as (...given: unknown[]) => unknown)(...args) }
  } catch (error) {
    const { code, errcode, message } = error as { code?: string; errcode?: number; message?: string }
    return { id, ok: false, code: errcode === undefined ? (code ?? 'unknown') : `${errcode}`, message: message ?? String(error) }
  }
}

const port = parentPort
if (!port) throw new Error('The passage index runs as a worker thread.')
const waiting = new Map<number, { call: CallName; args: unknown[] }>()

/** One call per turn, so that a cancel that has arrived meanwhile is seen before its call starts. */
const next = (): void => {
  const first = waiting.entries().next()
  if (first.done) return
  const [id, { call, args }] = first.value
  waiting.delete(id)
  port.postMessage(answer(id, call, args))
  if (call === 'close') port.close()
  else if (waiting.size > 0) setImmediate(next)
}
port.on('message', (request: Request) => {
  if (request.call === 'cancel') waiting.delete(request.id)
  else if (waiting.set(request.id, request).size === 1) setImmediate(next)
})
