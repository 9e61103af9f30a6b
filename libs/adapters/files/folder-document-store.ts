import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, mkdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { LRUCache } from 'lru-cache'
import {
  type DocumentStore,
  type LocalFile,
  makesRevision,
  type Revision,
  type StoredDocument,
  type StoredPart,
  type Tombstones,
  unfinishedSuffix,
} from '@plumbline/ports/document-store'
import {
  dropUnfinished,
  folderOfTenant,
  documentGoneError,
  isSafeId,
  namesIn,
  safeId,
  tombstoneFolder,
  tombstoneOf,
  touchedAt,
} from './layout'

/** Writes a temporary file and then renames it, so that the file at `path` is always complete. */
const replaceFile = async (path: string, content: Uint8Array): Promise<void> => {
  const half = `${path}.${randomUUID()}${unfinishedSuffix}`
  try {
    await writeFile(half, content)
    await rename(half, path)
  } catch (error) {
    await rm(half, { force: true })
    throw error
  }
}

const unless =
  <Other>(code: string, other: () => Other) =>
  (error: NodeJS.ErrnoException): Other => {
    if (error.code === code) return other()
    throw error
  }

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

const removeTree = (path: string): Promise<void> => rm(path, { recursive: true, force: true, maxRetries: 3 })

const digestOfFile = async (path: string): Promise<string> => {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer)
  return hash.digest('hex')
}

const measured = async (path: string, name: string): Promise<StoredPart> => ({
  name,
  bytes: (await stat(path)).size,
  digest: await digestOfFile(path),
})

/**
 * The file with this name contains the tenant of a revision. Revisions that an earlier release stored lack this file
 * and match every tenant. This is safe, because ids are unique.
 */
const tenantFile = 'tenant'
/**
 * Caches the tenant of each folder, because the tenant of a revision never changes. A folder without the file `tenant`
 * is not cached.
 */
const knownTenants = new LRUCache<string, string>({ max: 1_000 })
const tenantOf = async (dir: string): Promise<string | null> => {
  const known = knownTenants.get(dir)
  if (known !== undefined) return known
  const tenant = await readFile(join(dir, tenantFile), 'utf8').catch(unless('ENOENT', () => null))
  if (tenant !== null) knownTenants.set(dir, tenant)
  return tenant
}

const makeFolder = async (dir: string, tenant: string): Promise<void> => {
  await mkdir(dir, { recursive: true })
  await writeFile(join(dir, tenantFile), tenant)
  knownTenants.set(dir, tenant)
}

const forgetFolder = (dir: string): never => {
  knownTenants.delete(dir)
  throw documentGoneError()
}

const isOf = async (dir: string, { tenant }: StoredDocument): Promise<boolean> =>
  ((await tenantOf(dir)) ?? tenant) === tenant

const partsIn = async (dir: string): Promise<StoredPart[]> => {
  const parts: StoredPart[] = []
  for (const name of await namesIn(dir)) {
    if (name.endsWith(unfinishedSuffix) || name === tenantFile) continue
    const own = join(dir, name)
    if ((await stat(own)).isFile()) parts.push(await measured(own, name))
    else
      for (const one of await namesIn(own))
        if (!one.endsWith(unfinishedSuffix)) parts.push(await measured(join(own, one), `${name}/${one}`))
  }
  return parts
}

/** The folder of a document is inside a folder named after the last two characters of the document's id. */
const revisionsIn = async function* (dir: string): AsyncGenerator<Omit<Revision, 'tenant'> & { dir: string }> {
  for (const shard of (await namesIn(dir)).filter((name) => name.length <= 2 && isSafeId(name)))
    for (const id of (await namesIn(join(dir, shard))).filter(isSafeId))
      for (const revision of (await namesIn(join(dir, shard, id))).filter(isSafeId))
        yield { id, revision, dir: join(dir, shard, id, revision) }
}

const write = async (of: Revision, dir: string, part: string, content: Uint8Array | LocalFile): Promise<void> => {
  const path = join(dir, part)
  if (makesRevision(part) && !knownTenants.has(dir)) await makeFolder(dir, of.tenant)
  // `mkdir` is not recursive, so that the write fails if the folder of the revision was removed.
  if (part.includes('/')) await mkdir(dirname(path)).catch(unless('EEXIST', () => undefined))
  await (content instanceof Uint8Array ? replaceFile(path, content) : rename(content.path, path))
}

const tombstonesIn = (dir: string): Tombstones => {
  const root = join(dir, tombstoneFolder)
  const fileOf = ({ tenant, id }: StoredDocument): string => join(root, folderOfTenant(tenant), `${safeId(id)}.json`)
  return {
    put: async (document, content) => {
      const path = fileOf(document)
      await mkdir(dirname(path), { recursive: true })
      await replaceFile(path, content)
    },
    read: (document) => readFile(fileOf(document)).catch(unless('ENOENT', () => null)),
    drop: (document) => rm(fileOf(document), { force: true }),
    list: async function* (signal) {
      for (const folder of await namesIn(root))
        for (const name of await namesIn(join(root, folder))) {
          signal.throwIfAborted()
          const document = tombstoneOf(`${folder}/${name}`)
          if (document) yield { ...document, touchedAt: await touchedAt(join(root, folder, name)) }
        }
    },
  }
}

const placesIn = (dir: string) => {
  const documentDir = (id: string): string => join(dir, safeId(id).slice(-2), id)
  const at = (of: Revision): string => join(documentDir(of.id), safeId(of.revision))
  /** Returns the path of a part, even if no file exists there, or null if the revision belongs to another tenant. */
  const pathOf = async (of: Revision, part: string): Promise<string | null> =>
    (await isOf(at(of), of)) ? join(at(of), part) : null
  const drop = async (of: Revision, folder = ''): Promise<void> => {
    if (!(await isOf(at(of), of))) return
    await removeTree(join(at(of), folder))
    if (folder !== '') return
    knownTenants.delete(at(of))
    await rmdir(documentDir(of.id)).catch(() => undefined)
  }
  const dropPart = async (of: Revision, part: string): Promise<void> => {
    if (await isOf(at(of), of)) await rm(join(at(of), part), { force: true })
  }
  const revisions = async ({ tenant, id }: StoredDocument): Promise<string[]> => {
    const stored: string[] = []
    for (const revision of (await namesIn(documentDir(id))).filter(isSafeId))
      if (await isOf(at({ tenant, id, revision }), { tenant, id })) stored.push(revision)
    return stored
  }
  const remove = async (document: StoredDocument): Promise<void> => {
    for (const revision of await namesIn(documentDir(document.id)))
      if (isSafeId(revision)) await drop({ ...document, revision })
  }
  return { at, pathOf, drop, dropPart, revisions, remove }
}

export const openFolderDocumentStore = async (dir: string): Promise<DocumentStore> => {
  const incoming = join(dir, 'incoming')
  await mkdir(incoming, { recursive: true })
  const { at, pathOf, drop, dropPart, revisions, remove } = placesIn(dir)

  return {
    where: dir,
    incoming,
    sweepEveryMs: 3_600_000,
    put: async (of, part, content) => {
      if (!(await isOf(at(of), of))) throw documentGoneError()
      await write(of, at(of), part, content).catch(unless('ENOENT', () => forgetFolder(at(of))))
    },
    size: async (of, part) => {
      const path = await pathOf(of, part)
      if (path === null) return null
      return stat(path).then(
        ({ size }) => size,
        unless('ENOENT', () => null),
      )
    },
    read: async (of, part) => {
      const path = await pathOf(of, part)
      return path === null ? null : readFile(path).catch(unless('ENOENT', () => null))
    },
    withFile: async (of, part, _, use) => {
      const path = await pathOf(of, part)
      return path !== null && (await exists(path)) ? use(path) : null
    },
    parts: async (of) => ((await isOf(at(of), of)) ? partsIn(at(of)) : []),
    drop,
    dropPart,
    revisions,
    tombstones: tombstonesIn(dir),
    remove,
    list: async function* (tenant, signal) {
      for await (const { dir: own, ...listed } of revisionsIn(dir)) {
        signal.throwIfAborted()
        const owner = (await tenantOf(own)) ?? ''
        if (tenant === null || owner === tenant) {
          yield { ...listed, tenant: owner, touchedAt: await touchedAt(own), parts: await namesIn(own) }
        }
      }
    },
    tidy: async (untouchedMs, signal) => {
      let removed = await dropUnfinished(incoming, untouchedMs)
      for await (const { dir: own } of revisionsIn(dir)) {
        signal.throwIfAborted()
        for (const folder of ['', 'vectors', 'pages']) removed += await dropUnfinished(join(own, folder), untouchedMs)
      }
      return removed
    },
    check: () => access(incoming),
    close: () => Promise.resolve(),
  }
}
