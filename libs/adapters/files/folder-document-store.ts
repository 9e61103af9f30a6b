import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, mkdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  type DocumentStore,
  type ListedRevision,
  type LocalFile,
  makesRevision,
  type Revision,
  type StoredDocument,
  type StoredPart,
  unfinished,
} from '@plumbline/ports/document-store'
import { dropUnfinished, folderOfTenant, gone, isSafeId, namesIn, safeId, tenantOfFolder, touchedAt } from './layout'

/** Under its name a file is whole or not there, whenever the process ends. */
const replaceFile = async (path: string, content: Uint8Array): Promise<void> => {
  const half = `${path}.${randomUUID()}${unfinished}`
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

/** Folders of parts within a revision are one deep. */
const partsIn = async (dir: string): Promise<StoredPart[]> => {
  const parts: StoredPart[] = []
  for (const name of await namesIn(dir)) {
    if (name.endsWith(unfinished)) continue
    const own = join(dir, name)
    if ((await stat(own)).isFile()) parts.push(await measured(own, name))
    else
      for (const one of await namesIn(own))
        if (!one.endsWith(unfinished)) parts.push(await measured(join(own, one), `${name}/${one}`))
  }
  return parts
}

/** The folders of documents of one tenant, or of all. Documents from before tenants had folders stand by the end of their id. */
const documentsIn = async function* (
  dir: string,
  tenant: string | null,
): AsyncGenerator<StoredDocument & { dir: string }> {
  for (const name of await namesIn(dir)) {
    const owner = tenantOfFolder(name) ?? (name.length <= 2 && isSafeId(name) ? '' : null)
    if (owner === null || (tenant !== null && name !== folderOfTenant(tenant))) continue
    for (const id of (await namesIn(join(dir, name))).filter(isSafeId))
      yield { tenant: owner, id, dir: join(dir, name, id) }
  }
}

const revisionsIn = async function* (
  dir: string,
  tenant: string | null,
): AsyncGenerator<ListedRevision & { dir: string }> {
  for await (const document of documentsIn(dir, tenant))
    for (const revision of (await namesIn(document.dir)).filter(isSafeId)) {
      const own = join(document.dir, revision)
      yield { ...document, dir: own, revision, touchedAt: await touchedAt(own) }
    }
}

const write = async (path: string, part: string, content: Uint8Array | LocalFile): Promise<void> => {
  const own = dirname(path)
  if (makesRevision(part)) await mkdir(own, { recursive: true })
  // Not where the folder over it is gone, which a removal may have taken.
  else if (part.includes('/')) await mkdir(own).catch(unless('EEXIST', () => undefined))
  await (content instanceof Uint8Array ? replaceFile(path, content) : rename(content.path, path))
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** Documents in a folder that gateways and ingestors share. */
export const openFolderDocumentStore = async (dir: string): Promise<DocumentStore> => {
  const incoming = join(dir, 'incoming')
  await mkdir(incoming, { recursive: true })
  const documentDir = async ({ tenant, id }: StoredDocument): Promise<string> => {
    const before = join(dir, safeId(id).slice(-2), id)
    return (await isThere(before)) ? before : join(dir, folderOfTenant(tenant), id)
  }
  const at = async (of: Revision, ...rest: string[]): Promise<string> =>
    join(await documentDir(of), safeId(of.revision), ...rest)
  return {
    where: dir,
    incoming,
    sweepEveryMs: 3_600_000,
    put: async (of, part, content) =>
      write(await at(of, part), part, content).catch(
        unless('ENOENT', () => {
          throw gone()
        }),
      ),
    size: async (of, part) => {
      const found = await stat(await at(of, part)).catch(unless('ENOENT', () => null))
      return found && found.size
    },
    read: async (of, part) => readFile(await at(of, part)).catch(unless('ENOENT', () => null)),
    withFile: async (of, part, _, use) => {
      const path = await at(of, part)
      return (await isThere(path)) ? use(path) : null
    },
    parts: async (of) => partsIn(await at(of)),
    drop: async (of, folder = '') => {
      await removeTree(await at(of, folder))
      if (folder === '') await rmdir(await documentDir(of)).catch(() => undefined)
    },
    remove: async (document) => removeTree(await documentDir(document)),
    list: async function* (tenant, signal) {
      for await (const { dir: _, ...listed } of revisionsIn(dir, tenant)) {
        signal.throwIfAborted()
        yield listed
      }
    },
    tidy: async (untouchedMs, signal) => {
      let removed = await dropUnfinished(incoming, untouchedMs)
      for await (const { dir: own } of revisionsIn(dir, null)) {
        signal.throwIfAborted()
        for (const folder of ['', 'vectors', 'pages']) removed += await dropUnfinished(join(own, folder), untouchedMs)
      }
      return removed
    },
    check: () => access(incoming),
    close: () => Promise.resolve(),
  }
}
