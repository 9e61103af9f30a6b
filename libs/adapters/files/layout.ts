import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '@plumbline/platform'
import { type StoredDocument, unfinishedSuffix } from '@plumbline/ports/document-store'

export const isSafeId = (id: string): boolean => /^[0-9a-z]{1,64}$/.test(id)
export const safeId = (id: string): string => {
  if (!isSafeId(id)) throw new AppError('document.id', 'never')
  return id
}

const mark = 't-'
export const folderOfTenant = (tenant: string): string => `${mark}${encodeURIComponent(tenant)}`
export const tenantOfFolder = (folder: string): string | null =>
  folder.startsWith(mark) ? decodeURIComponent(folder.slice(mark.length)) : null

/** The name of the folder with the tombstones of deleted documents. No folder of a tenant or document has this name. */
export const tombstoneFolder = 'deleted'
export const tombstoneOf = (path: string): StoredDocument | null => {
  const [folder = '', name = ''] = path.split('/')
  const tenant = tenantOfFolder(folder)
  const id = name.replace(/\.json$/, '')
  return tenant !== null && id !== name && isSafeId(id) ? { tenant, id } : null
}

export const documentGoneError = (): AppError => new AppError('document.gone', 'later')

export const namesIn = (dir: string): Promise<string[]> => readdir(dir).catch(() => [])
export const touchedAt = async (path: string): Promise<number> =>
  (await stat(path).catch(() => null))?.mtimeMs ?? Infinity

export const dropUnfinished = async (dir: string, untouchedMs: number): Promise<number> => {
  let removed = 0
  for (const name of await namesIn(dir)) {
    const path = join(dir, name)
    if (!name.endsWith(unfinishedSuffix) || Date.now() - (await touchedAt(path)) < untouchedMs) continue
    await rm(path, { recursive: true, force: true })
    removed += 1
  }
  return removed
}
