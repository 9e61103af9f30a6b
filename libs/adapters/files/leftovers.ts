import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

export type Leftovers = {
  /** The revisions of a document that are still needed; none where it is gone. */
  needed(documentId: string): Promise<readonly string[]>
  /** What was touched within this time is left alone: it may be under way. */
  untouchedMs: number
  signal: AbortSignal
}

/** `unknown`: documents that are all left in their place, as not one of the folder is known. */
export type Swept = { removed: number; unknown: number }

const listed = (dir: string): Promise<string[]> => readdir(dir).catch(() => [])

const touchedAt = async (path: string): Promise<number> => (await stat(path).catch(() => null))?.mtimeMs ?? Infinity

const removed = async (path: string, { untouchedMs }: Leftovers): Promise<number> => {
  if (Date.now() - (await touchedAt(path)) < untouchedMs) return 0
  await rm(path, { recursive: true, force: true })
  return 1
}

/** What a process that died was writing. */
const unfinished = async (dir: string, leftovers: Leftovers): Promise<number> => {
  let gone = 0
  for (const file of await listed(dir)) if (file.endsWith('.tmp')) gone += await removed(join(dir, file), leftovers)
  return gone
}

const unneeded = async (dir: string, needed: readonly string[], leftovers: Leftovers): Promise<number> => {
  let gone = 0
  for (const revision of await listed(dir)) {
    const own = join(dir, revision)
    gone += needed.includes(revision)
      ? (await unfinished(own, leftovers)) +
        (await unfinished(join(own, 'vectors'), leftovers)) +
        (await unfinished(join(own, 'pages'), leftovers))
      : await removed(own, leftovers)
  }
  if (needed.length === 0 && (await listed(dir)).length === 0) await removed(dir, leftovers)
  return gone
}

/** Walks the whole folder, one document at a time. */
export const dropLeftovers = async (dir: string, leftovers: Leftovers, safe: RegExp): Promise<Swept> => {
  let gone = await unfinished(join(dir, 'incoming'), leftovers)
  let known = 0
  const unknown: string[] = []
  for (const shard of (await listed(dir)).filter((name) => name.length <= 2 && safe.test(name))) {
    for (const id of (await listed(join(dir, shard))).filter((name) => safe.test(name))) {
      leftovers.signal.throwIfAborted()
      const own = join(dir, shard, id)
      const needed = await leftovers.needed(id)
      if (needed.length === 0) {
        unknown.push(own)
        continue
      }
      known += 1
      gone += await unneeded(own, needed, leftovers)
    }
  }
  // Whoever knows none of them is asked in the wrong place, or has lost what it knew: what people brought stays.
  if (known === 0) return { removed: gone, unknown: unknown.length }
  for (const own of unknown) gone += await unneeded(own, [], leftovers)
  return { removed: gone, unknown: 0 }
}
