import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Measures the minimum work of an ingestion: read, hash, split and index. Returns the time in ms. */
export const ingestByScript = (folder: string, file: string): number => {
  const began = performance.now()
  const db = new DatabaseSync(file)
  db.exec('PRAGMA journal_mode = WAL; CREATE VIRTUAL TABLE words USING fts5(name, hash, text)')
  const add = db.prepare('INSERT INTO words (name, hash, text) VALUES (?, ?, ?)')
  db.exec('BEGIN')
  for (const name of readdirSync(folder)) {
    const text = readFileSync(join(folder, name), 'utf8')
    const hash = createHash('sha256').update(text).digest('hex')
    for (const passage of text.split(/\n{2,}/)) add.run(name, hash, passage)
  }
  db.exec('COMMIT')
  db.close()
  return performance.now() - began
}
