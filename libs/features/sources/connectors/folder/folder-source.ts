import { constants, type BigIntStats } from 'node:fs'
import { open, readdir, realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { FolderSettings } from '@plumbline/contracts'
import { SourceError, type DocumentSource, type Listed, type SourceItem } from '@plumbline/ports/document-source'
import { isHiddenName, isHiddenPath } from '../base/item-path'

export const isWithin = (folder: string, path: string): boolean => {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException).code)
const isGone = (error: unknown): boolean => ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(codeOf(error))

const asFault = (error: unknown, path: string): unknown => {
  if (error instanceof SourceError || (error as Error).name === 'AbortError') return error
  const code = codeOf(error)
  if (code === 'EACCES' || code === 'EPERM')
    return new SourceError('no-access', 'never', `${path} is not readable. Give this system the right to read it.`, {
      cause: error,
    })
  return new SourceError('unreachable', 'later', `${path} cannot be read now (${code}).`, { cause: error })
}

const notAllowed = (): SourceError =>
  new SourceError(
    'not-allowed',
    'never',
    'The operator does not allow this folder for sources. Choose another folder, or ask the operator to allow this one.',
  )

type Root = { path: string; id: string }

/** Checks first that the folder is allowed, so that an error never reveals whether a folder exists. */
const openRoot = async (path: string, folders: string[]): Promise<Root> => {
  const wanted = resolve(path)
  if (!folders.some((folder) => isWithin(resolve(folder), wanted))) throw notAllowed()
  const notFound = (cause?: unknown): SourceError =>
    new SourceError('not-found', 'never', `There is no folder ${path}. Check the path.`, { cause })
  const real = await realpath(wanted).catch((error: unknown) => {
    throw isGone(error) ? notFound(error) : asFault(error, path)
  })
  const roots = await Promise.all(folders.map((folder) => realpath(folder).catch(() => null)))
  if (!roots.some((root) => root !== null && isWithin(root, real))) throw notAllowed()
  const about = await stat(real, { bigint: true })
  if (!about.isDirectory()) throw notFound()
  return { path: real, id: `${about.dev}:${about.ino}` }
}

/** Returns the real path of a file, or null if the real path is outside the folder. */
const insideOf = async (root: Root, path: string): Promise<string | null> => {
  const real = await realpath(path)
  return isWithin(root.path, real) ? real : null
}

const versionOf = ({ size, mtimeNs, ctimeNs }: BigIntStats): string => `${size}-${mtimeNs}-${ctimeNs}`

const skip = (key: string, why: string): Listed => ({ kind: 'skipped', path: key, why })

const fileOf = async (root: Root, key: string): Promise<Listed | null> => {
  const path = join(root.path, key)
  try {
    const real = await insideOf(root, path)
    if (real === null) return skip(key, 'It is a link that leads out of the folder.')
    const about = await stat(real, { bigint: true })
    if (about.isDirectory()) return skip(key, 'It is a link to a folder, which is not followed.')
    if (!about.isFile()) return skip(key, 'It is not a file but a pipe, a socket or a device.')
    return { kind: 'item', item: { path: key, version: versionOf(about), size: Number(about.size) } }
  } catch (error) {
    if (isGone(error)) return null
    throw asFault(error, key)
  }
}

async function* walk(root: Root, folder: string, signal: AbortSignal): AsyncGenerator<Listed> {
  const entries = await readdir(join(root.path, folder), { withFileTypes: true }).catch((error: unknown) => {
    if (folder !== '' && isGone(error)) return []
    throw asFault(error, folder || root.path)
  })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    signal.throwIfAborted()
    if (isHiddenName(entry.name)) continue
    const key = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory()) {
      yield* walk(root, key, signal)
      continue
    }
    const listed = await fileOf(root, key)
    if (listed) yield listed
  }
}

/** Opens the file at the first read, so that an unused stream leaves no file open. */
async function* contentOf(root: Root, item: SourceItem, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const real = await insideOf(root, join(root.path, item.key ?? item.path))
  if (real === null) throw notAllowed()
  // The file may have been replaced by a link or a pipe. With these flags, `open` neither follows the link nor waits
  // for the pipe.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const handle = await open(real, flags)
  yield* handle.createReadStream({ signal }) as AsyncIterable<Uint8Array>
}

/** Opens a folder as a source. The folder must be inside a folder that the operator allows. */
export const openFolder = ({ path }: FolderSettings, folders: string[]): DocumentSource => ({
  list: async function* (signal) {
    const root = await openRoot(path, folders)
    yield* walk(root, '', signal)
    // If a volume was unmounted during the listing, its folder is now empty, and all its files would look removed.
    const after = await openRoot(path, folders)
    if (after.id !== root.id)
      throw new SourceError(
        'unreachable',
        'later',
        `${path} was replaced while it was being listed. The next sync lists it again.`,
      )
  },
  read: async (item, signal) => {
    const root = await openRoot(path, folders)
    const key = item.key ?? item.path
    if (key.includes('\0') || isHiddenPath(key) || !isWithin(root.path, join(root.path, key))) return null
    const listed = await fileOf(root, key)
    if (listed?.kind !== 'item') return null
    const faulty = (error: unknown): unknown => asFault(error, item.path)
    return { content: withFaults(contentOf(root, item, signal), faulty) }
  },
  close: async () => undefined,
})

async function* withFaults(
  content: AsyncIterable<Uint8Array>,
  fault: (error: unknown) => unknown,
): AsyncGenerator<Uint8Array> {
  try {
    yield* content
  } catch (error) {
    throw fault(error)
  }
}
