import type { DatabaseSync } from 'node:sqlite'
import type { IndexedDocument } from '@plumbline/ports/passage-index/passage-index'
import { createWords, inOneStep, inSavepoint, passageKey, termsForm, wordsOf } from './database'
import type { Calls, PassageRow, Words } from './thread'

/** The number of stored removals. A reader that has missed more removals must load all vectors again. */
const keptRemovals = 20_000

const sorted = (record: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))

const droppingOf = (db: DatabaseSync) => {
  const documentOf = db.prepare('SELECT key, class FROM documents WHERE tenant = ? AND id = ?')
  const dropRows = ['vectors', 'passages'].map((table) => db.prepare(`DELETE FROM ${table} WHERE key >= ? AND key < ?`))
  const dropDocument = db.prepare('DELETE FROM documents WHERE key = ?')
  const dropNotes = ['forms', 'filling', 'filled'].map((table) => db.prepare(`DELETE FROM ${table} WHERE document = ?`))
  const dropClass = db.prepare(
    'DELETE FROM classes WHERE key = ?1 AND NOT EXISTS (SELECT 1 FROM documents WHERE class = ?1)',
  )
  const noteRemoval = db.prepare('INSERT INTO removals (document) VALUES (?)')
  const forgetRemovals = db.prepare('DELETE FROM removals WHERE nth <= ?')
  return (tenant: number, documentId: string): void => {
    const held = documentOf.get(tenant, documentId)
    if (held === undefined) return
    const document = Number(held.key)
    const rows = [passageKey(document, 0), passageKey(document + 1, 0)] as const
    db.prepare(
      `DELETE FROM ${wordsOf(tenant)} WHERE rowid IN (SELECT key FROM passages WHERE key >= ? AND key < ?)`,
    ).run(...rows)
    for (const statement of dropRows) statement.run(...rows)
    dropDocument.run(document)
    for (const statement of dropNotes) statement.run(document)
    dropClass.run(Number(held.class))
    const { lastInsertRowid: nth } = noteRemoval.run(document)
    forgetRemovals.run(Number(nth) - keptRemovals)
  }
}

const addingOf = (db: DatabaseSync) => {
  const addClass = db.prepare(`
    INSERT INTO classes (tenant, collection, metadata, access) VALUES (?, ?, ?, ?)
    ON CONFLICT (tenant, collection, metadata, access) DO UPDATE SET tenant = excluded.tenant RETURNING key`)
  const addDocument = db.prepare(
    'INSERT INTO documents (tenant, id, class, version, space, size) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const addPassage = db.prepare('INSERT INTO passages (key, document, position, passage) VALUES (?, ?, ?, ?)')
  const addVector = db.prepare('INSERT INTO vectors (key, vector) VALUES (?, ?)')
  const addForm = db.prepare('INSERT INTO forms (document, form) VALUES (?, ?)')
  return (
    tenant: number,
    { id, collection, version, metadata, access, space }: IndexedDocument,
    rows: readonly PassageRow[],
  ): void => {
    const kind =
      addClass.get(tenant, collection, JSON.stringify(sorted(metadata)), JSON.stringify([...access].sort()))?.key ?? 0
    const document = Number(addDocument.run(tenant, id, kind, version, space, rows.length).lastInsertRowid)
    const addWords = db.prepare(`INSERT INTO ${wordsOf(tenant)} (rowid, title, headings, text) VALUES (?, ?, ?, ?)`)
    addForm.run(document, termsForm)
    rows.forEach(({ position, passage, vector, title, headings, text }, place) => {
      const key = passageKey(document, place)
      addPassage.run(key, document, position, passage)
      if (vector.length > 0) addVector.run(key, vector)
      addWords.run(key, title, headings, text)
    })
  }
}

/** Must be called in a transaction, so that no search sees only some of the new terms. */
const renewingOf = (db: DatabaseSync) => {
  const tenantOf = db.prepare('SELECT tenant FROM documents WHERE key = ?')
  const noteForm = db.prepare(
    'INSERT INTO forms (document, form) VALUES (?, ?) ON CONFLICT (document) DO UPDATE SET form = excluded.form',
  )
  return (document: number, rows: readonly Words[]): void => {
    const tenant = tenantOf.get(document)?.tenant
    if (tenant === undefined) return
    const table = wordsOf(Number(tenant))
    const drop = db.prepare(`DELETE FROM ${table} WHERE rowid = ?`)
    const add = db.prepare(`INSERT INTO ${table} (rowid, title, headings, text) VALUES (?, ?, ?, ?)`)
    for (const { key, title, headings, text } of rows) {
      drop.run(key)
      add.run(key, title, headings, text)
    }
    noteForm.run(document, termsForm)
  }
}

const fillingOf = (db: DatabaseSync): Calls['fill'] => {
  const held = db.prepare('SELECT size, space FROM documents WHERE key = ?')
  const putVector = db.prepare('INSERT OR REPLACE INTO vectors (key, vector) VALUES (?, ?)')
  const noteDone = db.prepare('INSERT OR REPLACE INTO filling (document, space, done) VALUES (?, ?, ?)')
  const noteSpace = db.prepare('UPDATE documents SET space = ? WHERE key = ?')
  const forget = db.prepare('DELETE FROM filling WHERE document = ?')
  const noteFilled = db.prepare('INSERT OR REPLACE INTO filled (document) VALUES (?)')
  const noteRemoval = db.prepare('INSERT INTO removals (document) VALUES (?)')
  return (document, space, from, rows) => {
    const { size, space: before } = held.get(document) ?? {}
    if (size === undefined) return
    // Vector search skips the document until all its vectors are replaced, so that no search mixes vectors of two
    // models.
    if (!String(before).endsWith(':0')) {
      noteSpace.run(space.replace(/\d+$/, '0'), document)
      noteRemoval.run(document)
    }
    for (const { key, vector } of rows) putVector.run(key, vector)
    const done = from + rows.length
    if (done < Number(size)) return void noteDone.run(document, space, done)
    noteSpace.run(space, document)
    forget.run(document)
    noteFilled.run(document)
  }
}

type WritingCalls = Pick<Calls, 'write' | 'remove' | 'renew' | 'fill'> & {
  /** Returns for each document the error, or null if the document was written. Throws if no document was written. */
  writeAll(all: readonly Parameters<Calls['write']>[]): unknown[]
}

export const writingCalls = (db: DatabaseSync): WritingCalls => {
  const tenantKey = db.prepare('SELECT key FROM tenants WHERE tenant = ?')
  const addTenant = db.prepare('INSERT INTO tenants (tenant) VALUES (?)')
  const drop = droppingOf(db)
  const add = addingOf(db)
  const renew = renewingOf(db)
  const fill = fillingOf(db)
  const tenantOf = (tenant: string): number => {
    const known = tenantKey.get(tenant)?.key
    if (known !== undefined) return Number(known)
    const key = Number(addTenant.run(tenant).lastInsertRowid)
    createWords(db, key)
    return key
  }
  const write = (tenant: string, document: IndexedDocument, rows: readonly PassageRow[]): void => {
    const owner = tenantOf(tenant)
    drop(owner, document.id)
    add(owner, document, rows)
  }
  return {
    write: (...args) => inOneStep(db, () => write(...args)),
    writeAll: (all) =>
      inOneStep(db, () =>
        all.map((args) => {
          try {
            inSavepoint(db, () => write(...args))
            return null
          } catch (error) {
            // If SQLite has rolled back the transaction, no document of the batch was written.
            if (!db.isTransaction) throw error
            return error
          }
        }),
      ),
    remove: (tenant, documentId) =>
      inOneStep(db, () => {
        const owner = tenantKey.get(tenant)?.key
        if (owner !== undefined) drop(Number(owner), documentId)
      }),
    renew: (document, rows) => inOneStep(db, () => renew(document, rows)),
    fill: (...args) => inOneStep(db, () => fill(...args)),
  }
}
