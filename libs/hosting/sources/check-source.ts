import { resolve } from 'node:path'
import { isWithin } from '@plumbline/adapters/sources/folder-source'
import { openSource } from '@plumbline/adapters/sources/open-source'
import type { SourceOptions } from '@plumbline/adapters/sources/options'
import type { SourceSettings } from '@plumbline/contracts'
import { SourceError } from '@plumbline/ports/document-source'

const hasLogin = (address: string): boolean => {
  const { username, password } = new URL(address)
  return username !== '' || password !== ''
}

/** What is wrong with a source's settings that can be told without asking the source, in words; null where nothing is. */
export const faultOfSource = async (settings: SourceSettings, options: SourceOptions): Promise<string | null> => {
  const { folders = [] } = options
  if (settings.kind === 'folder' && folders.length === 0)
    return 'no folders may be sources here: the system is started with those that may, and all below them, in SOURCE_FOLDERS, as SOURCE_FOLDERS=/data/shared'
  // The folder itself may be mounted where the ingestors run alone.
  if (settings.kind === 'folder' && !folders.some((folder) => isWithin(resolve(folder), resolve(settings.path))))
    return 'this folder is not below one that the operator named in SOURCE_FOLDERS: name one that is'
  const address = 'url' in settings ? settings.url : 'endpoint' in settings ? settings.endpoint : undefined
  if (address !== undefined && hasLogin(address))
    return 'write the address without a name and a password: settings are shown, so they name credentials that the operator holds'
  try {
    await (await openSource(settings, options)).close()
    return null
  } catch (error) {
    if (error instanceof SourceError) return error.words
    throw error
  }
}
