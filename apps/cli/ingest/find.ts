import { readdir, stat } from 'node:fs/promises'
import { basename, extname, join, relative, resolve, sep } from 'node:path'
import { formatOfName, type Format } from '@plumbline/contracts'

/** A file or a page to be brought in, under the name it has in its collection. */
export type Found = { kind: 'file'; path: string; name: string; bytes: number; format: Format } | { kind: 'url'; url: string; name: string }
export type Finding = { found: Found[]; leftOut: { name: string; why: string }[] }

/** What is wrong with what was named, in words for whoever named it. */
export class Misnamed extends Error {
  override readonly name = 'Misnamed'
}

const skippedFolders = new Set(['node_modules', '__pycache__'])
const isUrl = (place: string): boolean => /^https?:\/\//i.test(place)

const sizeOf = async (path: string): Promise<number | null> => {
  try {
    const { size } = await stat(path)
    return size
  } catch {
    return null
  }
}

const addFile = async (path: string, name: string, into: Finding): Promise<void> => {
  const format = formatOfName(name)
  if (!format) return void into.leftOut.push({ name, why: extname(name) === '' ? 'no ending' : extname(name).toLowerCase() })
  const bytes = await sizeOf(path)
  if (!bytes) return void into.leftOut.push({ name, why: bytes === 0 ? 'empty' : 'unreadable' })
  into.found.push({ kind: 'file', path, name, bytes, format })
}

/** Links to folders are not followed: they may lead in circles. */
const walk = async (root: string, folder: string, into: Finding): Promise<void> => {
  const entries = await readdir(folder, { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    if (entry.name.startsWith('.') || (entry.isDirectory() && skippedFolders.has(entry.name))) continue
    if (entry.isDirectory()) await walk(root, path, into)
    else if (entry.isFile() || (entry.isSymbolicLink() && (await stat(path).catch(() => null))?.isFile()))
      await addFile(path, relative(root, path).split(sep).join('/'), into)
  }
}

const findIn = async (place: string, into: Finding): Promise<void> => {
  if (isUrl(place)) {
    if (!URL.canParse(place)) throw new Misnamed(`"${place}" is not an address: write it as https://host/path.`)
    return void into.found.push({ kind: 'url', url: place, name: place })
  }
  const path = resolve(place)
  const about = await stat(path).catch(() => null)
  if (!about) throw new Misnamed(`There is no file or folder ${place}.`)
  if (about.isDirectory()) return walk(path, path, into)
  await addFile(path, basename(path), into)
}

/** All that can be read in what was named, in order; what is hidden or belongs to tools is passed over. */
export const find = async (places: string[]): Promise<Finding> => {
  const finding: Finding = { found: [], leftOut: [] }
  for (const place of places) await findIn(place, finding)
  const names = new Set<string>()
  for (const { name } of finding.found) {
    if (names.has(name)) throw new Misnamed(`Two of these would be called ${name}, and the second would replace the first. Name the folder over both, or bring them into collections of their own.`)
    names.add(name)
  }
  return finding
}
