import { DatabaseSync } from 'node:sqlite'
import { getLoadablePath } from 'sqlite-vec'

const waitMs = 10_000
const busy = 5

/** Retries while the file is locked, because SQLite's own timeout does not cover a change of the journal mode. */
const patiently = (work: () => void): void => {
  for (const until = Date.now() + waitMs; ; Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)) {
    try {
      return work()
    } catch (error) {
      if (((error as { errcode?: number }).errcode ?? 0) % 256 !== busy || Date.now() > until) throw error
    }
  }
}

/** `mmap_size` maps up to 4 GB of the file into memory, so that reads need not copy the data. */
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
export const atOneMoment = <Result>(db: DatabaseSync, work: () => Result): Result => within(db, 'BEGIN', work)

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

/**
 * The version of the tables. Search terms have a separate version for each document, so that search still finds
 * documents with old terms.
 */
const version = 3
/** Increase this number when the code computes search terms differently. */
export const termsForm = 3

/** Documents of a class have the same tenant, collection, metadata and access tags. Document keys are never reused. */
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

/** Earlier releases do not write to this table, so the search terms of a document without a row are out of date. */
const forms = 'CREATE TABLE IF NOT EXISTS forms (document INTEGER PRIMARY KEY, form INTEGER NOT NULL)'

/** `filling`: how many passages of a document have vectors. `filled`: the documents whose vectors are complete. */
const fills = `
  CREATE TABLE IF NOT EXISTS filling (document INTEGER PRIMARY KEY, space TEXT NOT NULL, done INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS filled (nth INTEGER PRIMARY KEY AUTOINCREMENT, document INTEGER NOT NULL UNIQUE)`

const perDocument = 2 ** 20
/** Returns the key of a passage: the document's key in the high bits, and the passage's number in the low bits. */
export const passageKey = (document: number, place: number): number => {
  if (place >= perDocument) throw new Error(`the document has more than ${perDocument} passages`)
  return document * perDocument + place
}
export const documentBits = 20

export const wordsOf = (tenant: number): string => `words_${tenant}`
export const createWords = (db: DatabaseSync, tenant: number): void =>
  db.exec(
    `CREATE VIRTUAL TABLE ${wordsOf(tenant)} USING fts5(title, headings, text, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 0 tokenchars '_.'")`,
  )

const number = (db: DatabaseSync, statement: string): number =>
  Number(Object.values(db.prepare(statement).get() ?? {})[0] ?? 0)

const versionOf = (db: DatabaseSync): number => number(db, 'PRAGMA user_version')

/** Creates missing tables. Does not lock a file that has all tables, so that opening it never waits for a writer. */
export const prepareFile = (db: DatabaseSync): void => {
  if (versionOf(db) === version && number(db, `SELECT count(*) FROM sqlite_schema WHERE name = 'filled'`) > 0) return
  inOneStep(db, () => {
    const held = versionOf(db)
    const older = held < version && number(db, `SELECT count(*) FROM sqlite_schema WHERE name = 'documents'`) > 0
    if (older || held > version) throw new Error(`${older ? 'an older' : 'a newer'} version of this program created it`)
    db.exec(schema)
    db.exec(forms)
    db.exec(fills)
    db.exec(`PRAGMA user_version = ${version}`)
  })
}
