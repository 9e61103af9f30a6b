import { cleanName } from '@plumbline/contracts'

const mostChars = 500

const leadsElsewhere = (part: string): boolean => /^\.{1,2}$/.test(part.normalize('NFKC').trim())

/** What a source calls a file as a path that is fit to be told on: relative, in one form, without control characters. Null where there is none. */
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

/** What is hidden or belongs to tools is passed over, as in a folder that is brought from the terminal. */
export const isHiddenName = (name: string): boolean => name.startsWith('.') || foldersOfTools.has(name)
export const isHiddenPath = (path: string): boolean => path.split('/').some(isHiddenName)

/** A folder as the beginning of the paths in it: `docs/`, or nothing. */
export const folderPrefix = (path = ''): string => {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.')
  return parts.length === 0 ? '' : `${parts.join('/')}/`
}
