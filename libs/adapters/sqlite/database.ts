import { DatabaseSync } from 'node:sqlite'
import { getLoadablePath } from 'sqlite-vec'

const waitMs = 10_000
const busy = 5

/** SQLite does not wait for other processes while it changes a file's journal mode. */
const patiently = (work: () => void): void => {
  for (const until = Date.now() + waitMs; ; Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)) {
    try {
      return work()
    } catch (error) {
      if (((error as { errcode?: number }).errcode ?? 0) % 256 !== busy || Date.now() > until) throw error
    }
  }
}

/** The whole file is mapped as far as it goes, so that reading a page copies nothing. */
const settings = 'PRAGMA synchronous = NORMAL; PRAGMA mmap_size = 4294967296; PRAGMA temp_store = MEMORY'

export const openDatabase = (file: string): DatabaseSync => {
  const opened = new DatabaseSync(file, { allowExtension: true, timeout: waitMs })
  opened.loadExtension(getLoadablePath())
  opened.enableLoadExtension(false)
  patiently(() => opened.exec('PRAGMA journal_mode = WAL'))
  opened.exec(settings)
  return opened
}

const within = <Result>(db: DatabaseSync, begin: string, work: () => Result): Result => {
  db.exec(begin)
  try {
    const result = work()
    db.exec('COMMIT')
    return result
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}
export const inOneStep = <Result>(db: DatabaseSync, work: () => Result): Result => within(db, 'BEGIN IMMEDIATE', work)
/** All that `work` reads is of one moment. */
export const atOneMoment = <Result>(db: DatabaseSync, work: () => Result): Result => within(db, 'BEGIN', work)

/** A part of a transaction that can fail alone. */
export const inSavepoint = (db: DatabaseSync, work: () => void): void => {
  db.exec('SAVEPOINT part')
  try {
    work()
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK TO part')
    throw error
  } finally {
    if (db.isTransaction) db.exec('RELEASE part')
  }
}

/** Of the file's shape. How the terms in it are made is told of each document, so that older terms are found until they are renewed. */
const version = 3
/** Raised with every change of how terms are made: documents with older terms are renewed while they are searched. */
export const termsForm = 3

/**
 * Documents that a search can only take or leave together share a class: one collection, the same metadata, the same tags.
 * A passage's key holds its document's, so that words and vectors know their document without being joined. No key is given twice:
 * whoever keeps vectors in memory reads the documents after the last one it knows, and what was removed.
 */
const schema = `
  CREATE TABLE IF NOT EXISTS tenants (key INTEGER PRIMARY KEY, tenant TEXT NOT NULL UNIQUE);
  CREATE TABLE IF NOT EXISTS classes (
    key INTEGER PRIMARY KEY, tenant INTEGER NOT NULL, collection TEXT NOT NULL, metadata TEXT NOT NULL, access TEXT NOT NULL,
    UNIQUE (tenant, collection, metadata, access));
  CREATE TABLE IF NOT EXISTS documents (
    key INTEGER PRIMARY KEY AUTOINCREMENT, tenant INTEGER NOT NULL, id TEXT NOT NULL, class INTEGER NOT NULL,
    version TEXT NOT NULL, space TEXT NOT NULL, size INTEGER NOT NULL, UNIQUE (tenant, id));
  CREATE INDEX IF NOT EXISTS documents_by_class ON documents (class, size);
  CREATE INDEX IF NOT EXISTS documents_by_tenant ON documents (tenant);
  CREATE TABLE IF NOT EXISTS removals (nth INTEGER PRIMARY KEY AUTOINCREMENT, document INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS passages (key INTEGER PRIMARY KEY, document INTEGER NOT NULL, position INTEGER NOT NULL, passage TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS passages_by_position ON passages (document, position);
  CREATE TABLE IF NOT EXISTS vectors (key INTEGER PRIMARY KEY, vector BLOB NOT NULL);
`

/** Versions before this one neither make this table nor write to it: a document that it does not name has older terms. */
const forms = 'CREATE TABLE IF NOT EXISTS forms (document INTEGER PRIMARY KEY, form INTEGER NOT NULL)'

/**
 * Documents get vectors after their words: `filling` keeps how many passages have one, and `filled` tells readers which
 * documents have all of them since they were written.
 */
const fills = `
  CREATE TABLE IF NOT EXISTS filling (document INTEGER PRIMARY KEY, space TEXT NOT NULL, done INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS filled (nth INTEGER PRIMARY KEY AUTOINCREMENT, document INTEGER NOT NULL UNIQUE)`

const perDocument = 2 ** 20
/** A passage's key: its document's, then its place in it. */
export const passageKey = (document: number, place: number): number => {
  if (place >= perDocument) throw new Error(`a document of more than ${perDocument} passages`)
  return document * perDocument + place
}
export const documentBits = 20

/** Each tenant has a word table of its own, so that no tenant's words weigh in another's BM25. */
export const wordsOf = (tenant: number): string => `words_${tenant}`
export const createWords = (db: DatabaseSync, tenant: number): void =>
  db.exec(
    `CREATE VIRTUAL TABLE ${wordsOf(tenant)} USING fts5(title, headings, text, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 0 tokenchars '_.'")`,
  )

const number = (db: DatabaseSync, statement: string): number =>
  Number(Object.values(db.prepare(statement).get() ?? {})[0] ?? 0)

const versionOf = (db: DatabaseSync): number => number(db, 'PRAGMA user_version')

/** Only a file without its tables is locked for it: who opens another does not wait for those who write. */
export const prepareFile = (db: DatabaseSync): void => {
  if (versionOf(db) === version && number(db, `SELECT count(*) FROM sqlite_schema WHERE name = 'filled'`) > 0) return
  inOneStep(db, () => {
    const held = versionOf(db)
    const older = held < version && number(db, `SELECT count(*) FROM sqlite_schema WHERE name = 'documents'`) > 0
    if (older || held > version)
      throw new Error(`it was made by ${older ? 'an older' : 'a newer'} version of this program`)
    db.exec(schema)
    db.exec(forms)
    db.exec(fills)
    db.exec(`PRAGMA user_version = ${version}`)
  })
}
