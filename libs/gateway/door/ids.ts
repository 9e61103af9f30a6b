import { createHash, randomUUID } from 'node:crypto'
import { notFound } from './problem'

const length = 24
const inBase36 = (hex: string): string => BigInt(`0x${hex}`).toString(36).padStart(length, '0').slice(-length)

/** With a key the id follows from tenant and key: the same request finds the same thing. */
export const newId = (prefix: 'r' | 'd', tenant: string, key: string | undefined): string =>
  prefix +
  inBase36(
    key === undefined
      ? randomUUID().replaceAll('-', '')
      : createHash('sha256').update(`${prefix}\0${tenant}\0${key}`).digest('hex'),
  )

const shapes = { run: /^r[0-9a-z]{24}$/, document: /^d[0-9a-z]{24}$/ }
export const checkId = (what: keyof typeof shapes, id: string): string => {
  if (!shapes[what].test(id)) throw notFound(what)
  return id
}

const sorted = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value

/** Equal for equal content, in whatever order its fields came. */
export const contentHash = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value, sorted)).digest('base64url')
