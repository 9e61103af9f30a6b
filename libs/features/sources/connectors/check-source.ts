import { resolve } from 'node:path'
import { isWithin } from './folder/folder-source'
import { openSource } from './open-source'
import type { SourceOptions } from './base/options'
import type { SourceSettings } from '@plumbline/contracts'
import { SourceError } from '@plumbline/ports/document-source'

const hasLogin = (address: string): boolean => {
  const { username, password } = new URL(address)
  return username !== '' || password !== ''
}

export const faultOfSource = async (settings: SourceSettings, options: SourceOptions): Promise<string | null> => {
  const { folders = [] } = options
  if (settings.kind === 'folder' && folders.length === 0)
    return 'folder sources are turned off: set SOURCE_FOLDERS, for example to /data/shared, which allows this folder and all folders below it, and restart the system'
  // Compare only the paths, because the folder may exist only on the machines that run an ingestor.
  if (settings.kind === 'folder' && !folders.some((folder) => isWithin(resolve(folder), resolve(settings.path))))
    return 'the operator does not allow this folder: choose a folder that SOURCE_FOLDERS contains, or a folder below one of them'
  const address = 'url' in settings ? settings.url : 'endpoint' in settings ? settings.endpoint : undefined
  if (address !== undefined && hasLogin(address))
    return 'write the address without a user name and password, because settings are visible: name stored credentials instead'
  try {
    await (await openSource(settings, options)).close()
    return null
  } catch (error) {
    if (error instanceof SourceError) return error.words
    throw error
  }
}
