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
