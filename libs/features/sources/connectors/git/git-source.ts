import fs from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as pause } from 'node:timers/promises'
import type { GitSettings } from '@plumbline/contracts'
import { SourceError, type DocumentSource, type Listed } from '@plumbline/ports/document-source'
import type { TreeEntry } from 'isomorphic-git'
import type { Guard } from '@plumbline/adapters/fetching/target'
import { checkPack, type PackLimits } from './check-pack'
import { guardedHttp } from './guarded-http'
import { folderPrefix, isHiddenName, isHiddenPath } from '../base/item-path'
import type { GitCredentials, SourceLimits } from '../base/options'

const load = async () => (await import('isomorphic-git')).default

/** The maximum size of a pack file. The whole pack file of a clone is in memory while it is parsed. */
const mostPackBytes = 100_000_000
const packLimits: PackLimits = { objects: 500_000, bytes: 500_000_000, depth: 4_095 }
const mostFolders = 200

/** Checks each pack file before it is written, because the git library parses the file after that. */
const checkedFiles = (limits: PackLimits, signal: AbortSignal) => {
  const writeFile = async (path: string, data: Uint8Array | string, options?: fs.WriteFileOptions): Promise<void> => {
    if (path.endsWith('.pack') && typeof data !== 'string')
      await checkPack(Buffer.from(data.buffer, data.byteOffset, data.byteLength), limits, signal)
    await fs.promises.writeFile(path, data, options)
  }
  return { promises: { ...fs.promises, writeFile } }
}

type Fault = { code: string; data?: { statusCode?: number } }
const isFault = (error: unknown): error is Fault => error instanceof Error && 'code' in error && 'data' in error

const asFault = (error: unknown, { url, branch }: GitSettings): unknown => {
  if (!isFault(error)) return error
  const wrong = (reason: SourceError['reason'], words: string) =>
    new SourceError(reason, 'never', words, { cause: error })
  const status = error.data?.statusCode
  if (status === 401 || status === 403 || (status === 404 && error.code === 'HttpError'))
    return wrong(
      status === 404 ? 'not-found' : 'no-access',
      `There is no repository at ${url}, or it is private. Check the address, or choose credentials that may read it.`,
    )
  if (error.code === 'NotFoundError' && branch !== undefined)
    return wrong('not-found', `The repository has no branch ${branch}, or the branch is empty.`)
  if (error.code === 'NotFoundError') return wrong('not-found', 'The repository is empty.')
  if (error.code === 'UnsafeFilepathError')
    return wrong(
      'unreadable',
      'The repository contains a file whose path leads out of the repository or into the .git folder, so the repository is not read. Rename the file.',
    )
  return wrong('unreadable', `${new URL(url).host} does not serve a readable repository at this address.`)
}

type Clone = { gitdir: string; tree: string; cache: object; git: Awaited<ReturnType<typeof load>> }

const clone = async (
  settings: GitSettings,
  credentials: GitCredentials | undefined,
  guard: Guard,
  limits: SourceLimits,
  signal: AbortSignal,
): Promise<Clone> => {
  const git = await load()
  const gitdir = await mkdtemp(join(tmpdir(), 'plumbline-git-'))
  const maxBytes = Math.min(mostPackBytes, limits.bytes)
  const http = guardedHttp({ guard, maxBytes, timeoutMs: limits.listMs, signal, ...(credentials && { credentials }) })
  try {
    await git.clone({
      fs: checkedFiles({ ...packLimits, bytes: Math.min(packLimits.bytes, limits.bytes) }, signal),
      http,
      gitdir,
      dir: gitdir,
      url: settings.url.replace(/\/+$/, ''),
      ...(settings.branch !== undefined && { ref: settings.branch }),
      singleBranch: true,
      depth: 1,
      noCheckout: true,
      noTags: true,
      // Pauses between steps, so that a large pack does not block other work of this process.
      onProgress: () => pause(),
    })
    const head = await git.resolveRef({ fs, gitdir, ref: 'HEAD' })
    const { commit } = await git.readCommit({ fs, gitdir, oid: head })
    return { git, gitdir, tree: commit.tree, cache: {} }
  } catch (error) {
    await rm(gitdir, { recursive: true, force: true })
    throw error
  }
}

const entriesOf = async ({ git, gitdir, cache }: Clone, oid: string): Promise<TreeEntry[]> =>
  (await git.readTree({ fs, gitdir, cache, oid })).tree

const skip = (path: string, why: string): Listed => ({ kind: 'skipped', path, why })

const listedEntry = ({ mode, type, oid }: TreeEntry, path: string): Listed => {
  if (type === 'commit')
    return skip(path, 'It is another repository (a submodule). Add the submodule as a separate source.')
  if (mode === '120000') return skip(path, 'It is a link, which is not followed.')
  return { kind: 'item', item: { path, version: oid } }
}

async function* walk(
  clone: Clone,
  oid: string,
  folder: string,
  depth: number,
  signal: AbortSignal,
): AsyncGenerator<Listed> {
  if (depth > mostFolders)
    throw new SourceError(
      'too-large',
      'never',
      `The repository has folders nested more than ${mostFolders} levels deep.`,
    )
  for (const entry of await entriesOf(clone, oid)) {
    signal.throwIfAborted()
    if (isHiddenName(entry.path)) continue
    const path = folder + entry.path
    if (entry.type === 'tree') yield* walk(clone, entry.oid, `${path}/`, depth + 1, signal)
    else yield listedEntry(entry, path)
  }
}

const entryAt = async (clone: Clone, parts: string[]): Promise<TreeEntry | null> => {
  let tree = clone.tree
  for (const [n, part] of parts.entries()) {
    const entry = (await entriesOf(clone, tree)).find(({ path }) => path === part)
    if (!entry) return null
    if (n === parts.length - 1) return entry
    if (entry.type !== 'tree') return null
    tree = entry.oid
  }
  return null
}

/** Throws if the folder is missing. With an empty list instead, all files of the folder would look removed. */
const rootOf = async (clone: Clone, prefix: string): Promise<string> => {
  if (prefix === '') return clone.tree
  const entry = await entryAt(clone, prefix.slice(0, -1).split('/'))
  if (entry?.type === 'tree') return entry.oid
  throw new SourceError('not-found', 'never', `The repository has no folder ${prefix}. Check the path.`)
}

/** Each listing clones the newest commit, and later reads use this clone. */
export const openGit = (
  settings: GitSettings,
  credentials: GitCredentials | undefined,
  guard: Guard,
  limits: SourceLimits,
): DocumentSource => {
  const prefix = folderPrefix(settings.path)
  let current: Promise<Clone> | undefined
  const close = async (): Promise<void> => {
    const last = await current?.catch(() => undefined)
    current = undefined
    if (last) await rm(last.gitdir, { recursive: true, force: true })
  }
  const cloned = (signal: AbortSignal): Promise<Clone> => {
    if (current) return current
    const cloning = clone(settings, credentials, guard, limits, signal)
    cloning.catch(() => void (current === cloning && (current = undefined)))
    return (current = cloning)
  }
  return {
    list: async function* (signal) {
      try {
        await close()
        const fresh = await cloned(signal)
        yield* walk(fresh, await rootOf(fresh, prefix), '', 0, signal)
      } catch (error) {
        throw asFault(error, settings)
      }
    },
    read: async (item, signal) => {
      try {
        const from = await cloned(signal)
        const path = item.key ?? item.path
        const entry = isHiddenPath(path) ? null : await entryAt(from, (prefix + path).split('/'))
        if (entry?.type !== 'blob' || entry.mode === '120000') return null
        const { git, gitdir, cache } = from
        const { blob } = await git.readBlob({ fs, gitdir, cache, oid: entry.oid })
        return {
          content: (async function* () {
            yield blob
          })(),
        }
      } catch (error) {
        throw asFault(error, settings)
      }
    },
    close,
  }
}
