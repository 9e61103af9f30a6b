import { createHash } from 'node:crypto'

const sha = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex')
const slug = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40)

/** A UUID that is the same wherever it is derived from the same parts. */
export const uuidOf = (...parts: string[]): string => {
  const hex = sha(parts)
  const variant = ((parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(18, 20)}-${hex.slice(20, 32)}`
}

export type Names = {
  documents: string
  /** What all collections of passages begin with. */
  spaces: string
  alias(name: string, dimensions: number): string
  first(alias: string): string
  next(alias: string): string
  /** The alias of one that is being built. */
  building(collection: string): string
  /** Whether one that stands behind no alias was given up: nothing is built for so long. */
  isGivenUp(collection: string): boolean
}

const longestBuildMs = 24 * 3_600_000

export const namesUnder = (prefix: string): Names => {
  if (!/^[\w-]{1,60}$/.test(prefix))
    throw new Error(
      `The prefix of the Qdrant collections is ${JSON.stringify(prefix)}; use up to 60 letters, digits, - and _.`,
    )
  const spaces = `${prefix}.space.`
  const space = (name: string): string => `${spaces}${slug(name)}-${sha(name).slice(0, 8)}.`
  return {
    documents: `${prefix}.documents`,
    spaces,
    alias: (name, dimensions) => `${space(name)}${dimensions}`,
    first: (alias) => `${alias}.first`,
    next: (alias) => `${alias}.${Date.now()}-${Math.random().toString(36).slice(2, 6)}`,
    building: (collection) => `${collection}.building`,
    isGivenUp: (collection) => Number(/\.(\d+)-\w*$/.exec(collection)?.[1] ?? 0) < Date.now() - longestBuildMs,
  }
}
