import { readdir, stat } from 'node:fs/promises'
import { basename, extname, join, relative, resolve, sep } from 'node:path'
import { cleanName, formatOfName, type Format } from '@plumbline/contracts'

export type FoundItem =
  | { kind: 'file'; path: string; name: string; bytes: number; format: Format }
  | { kind: 'url'; url: string; name: string }
export type FindResult = { found: FoundItem[]; leftOut: { name: string; why: string }[] }

export class WrongArgument extends Error {
  override readonly name = 'WrongArgument'
}

const skippedFolders = new Set(['node_modules', '__pycache__'])
export const isUrl = (place: string): boolean => /^https?:\/\//i.test(place)
const statOf = (path: string) => stat(path).catch(() => null)

const addFile = async (path: string, name: string, into: FindResult): Promise<void> => {
  const format = formatOfName(name)
  if (!format)
    return void into.leftOut.push({ name, why: extname(name) === '' ? 'no extension' : extname(name).toLowerCase() })
  const { size } = (await statOf(path)) ?? {}
  if (!size) return void into.leftOut.push({ name, why: size === 0 ? 'empty' : 'unreadable' })
  into.found.push({ kind: 'file', path, name, bytes: size, format })
}

/** Adds the target of a symbolic link if it is a file. A link to a folder is not followed: it may form a cycle. */
const addLink = async (path: string, name: string, into: FindResult): Promise<void> => {
  const target = await statOf(path)
  if (target?.isFile()) return addFile(path, name, into)
  into.leftOut.push({ name, why: target?.isDirectory() ? 'link to a folder' : target ? 'not a file' : 'broken link' })
}

const walk = async (root: string, folder: string, into: FindResult): Promise<void> => {
  const nameOf = (path: string): string => relative(root, path).split(sep).join('/')
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => null)
  if (!entries) return void into.leftOut.push({ name: `${nameOf(folder) || '.'}/`, why: 'unreadable' })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    if (entry.name.startsWith('.') || skippedFolders.has(entry.name)) continue
    if (entry.isDirectory()) await walk(root, path, into)
    else if (entry.isSymbolicLink()) await addLink(path, nameOf(path), into)
    else if (entry.isFile()) await addFile(path, nameOf(path), into)
    else into.leftOut.push({ name: nameOf(path), why: 'not a file' })
  }
}

const addFrom = async (place: string, into: FindResult): Promise<void> => {
  if (isUrl(place)) {
    if (!URL.canParse(place)) throw new WrongArgument(`"${place}" is not an address: write it as https://host/path.`)
    return void into.found.push({ kind: 'url', url: place, name: place })
  }
  const path = resolve(place)
  const about = await statOf(path)
  if (!about)
    throw new WrongArgument(
      `The file or folder ${place} does not exist or is not readable. Check the path and your rights.`,
    )
  if (about.isDirectory()) return walk(path, path, into)
  await addFile(path, basename(path), into)
}

const sourceOf = (one: FoundItem): string => (one.kind === 'url' ? one.url : one.path)

const withoutDuplicates = (all: FoundItem[]): FoundItem[] => {
  const byName = new Map<string, FoundItem>()
  for (const one of all) {
    const name = cleanName(one.name)
    const other = byName.get(name)
    if (other && sourceOf(other) !== sourceOf(one))
      throw new WrongArgument(
        `${sourceOf(other)} and ${sourceOf(one)} would get the same name ${name}, and one would replace the other. Give the common parent folder, rename one of them, or add them to separate collections.`,
      )
    byName.set(name, one)
  }
  return [...byName.values()]
}

/** Returns all supported files and pages in the given places, in order, without hidden files and folders of tools. */
export const findFiles = async (places: string[]): Promise<FindResult> => {
  const finding: FindResult = { found: [], leftOut: [] }
  for (const place of places) await addFrom(place, finding)
  return { ...finding, found: withoutDuplicates(finding.found) }
}
