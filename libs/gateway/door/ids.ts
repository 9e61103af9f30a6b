import { createHash, randomFillSync } from 'node:crypto'
import { notFound } from './problem'

const length = 24
const inBase36 = (hex: string): string => BigInt(`0x${hex}`).toString(36).padStart(length, '0').slice(-length)

const digits = '0123456789abcdefghijklmnopqrstuvwxyz'
const drawn = new Uint8Array(length * 128)
let used = drawn.length

/** Random bytes are drawn for many ids at once: each draw is a system call. */
const randomId = (): string => {
  if (used === drawn.length) {
    randomFillSync(drawn)
    used = 0
  }
  const own = drawn.subarray(used, (used += length))
  return own.reduce((id, byte) => id + digits.charAt(byte % digits.length), '')
}

/** With a key the id follows from tenant and key: the same request finds the same thing. */
export const newId = (prefix: 'r' | 'd', tenant: string, key: string | undefined): string =>
  prefix +
  (key === undefined ? randomId() : inBase36(createHash('sha256').update(`${prefix}\0${tenant}\0${key}`).digest('hex')))

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
