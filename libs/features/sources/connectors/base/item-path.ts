import { cleanName } from '@plumbline/contracts'

const mostChars = 500

const leadsElsewhere = (part: string): boolean => /^\.{1,2}$/.test(part.normalize('NFKC').trim())

/** Returns a clean path, or null if the path is unsafe, for example because it contains `..`. */
export const itemPath = (raw: string): string | null => {
  if (!raw.isWellFormed() || raw.includes('\uFFFD')) return null
  const path = cleanName(raw)
    .split('/')
    .filter((part) => part !== '')
    .join('/')
  const isFit = path !== '' && path.length <= mostChars && !path.split(/[/\\]/).some(leadsElsewhere)
  return isFit ? path : null
}

const foldersOfTools = new Set(['node_modules', '__pycache__'])

/** Returns true for a name that is skipped in sources and in uploads from the terminal. */
export const isHiddenName = (name: string): boolean => name.startsWith('.') || foldersOfTools.has(name)
export const isHiddenPath = (path: string): boolean => path.split('/').some(isHiddenName)

export const folderPrefix = (path = ''): string => {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.')
  return parts.length === 0 ? '' : `${parts.join('/')}/`
}
