import { hash, randomFillSync } from 'node:crypto'
import { createParamDecorator, type ExecutionContext, type PipeTransform } from '@nestjs/common'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { bounds, type Settings } from '../settings'
import { notFound, wrongField } from './problem'

const length = 24
const inBase36 = (hex: string): string => BigInt(`0x${hex}`).toString(36).padStart(length, '0').slice(-length)

const digits = '0123456789abcdefghijklmnopqrstuvwxyz'
const drawn = new Uint8Array(length * 128)
let used = drawn.length

/** Generates the random bytes of many ids at once, because each generation is a system call. */
const randomId = (): string => {
  if (used === drawn.length) {
    randomFillSync(drawn)
    used = 0
  }
  const own = drawn.subarray(used, (used += length))
  let id = ''
  for (const byte of own) id += digits[byte % digits.length]
  return id
}

/**
 * With an Idempotency-Key, the id depends only on tenant and key. A repeated request thus finds what the first request
 * created.
 */
export const newId = (prefix: 'r' | 'd' | 'b' | 's', tenant: string, key: string | undefined): string =>
  prefix + (key === undefined ? randomId() : inBase36(hash('sha256', `${prefix}\0${tenant}\0${key}`)))

export const time = z.iso
  .datetime({ offset: true, error: 'send a time in ISO format, such as 2026-11-22T20:00:00Z' })
  .transform((iso) => new Date(iso).getTime())

const shapes = {
  run: /^r[0-9a-z]{24}$/,
  document: /^d[0-9a-z]{24}$/,
  batch: /^b[0-9a-z]{24}$/,
  schedule: /^s[0-9a-z]{24}$/,
  case: /^k[0-9a-f]{24}$/,
}
const idOf = (what: keyof typeof shapes): PipeTransform<string, string> => ({
  transform: (id) => {
    if (!shapes[what].test(id)) throw notFound(what)
    return id
  },
})
export const isRunId = (id: string): boolean => shapes.run.test(id)
export const isDocumentId = (id: string): boolean => shapes.document.test(id)
export const RunId = idOf('run')
export const DocumentId = idOf('document')
export const BatchId = idOf('batch')
export const ScheduleId = idOf('schedule')
export const CaseId = idOf('case')

const sorted = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value

export const contentHash = (value: unknown): string => hash('sha256', JSON.stringify(value, sorted), 'base64url')

const visible = /^[\x21-\x7e]{1,255}$/

export const idempotencyKeyOf = ({ headers }: FastifyRequest): string | undefined => {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !visible.test(key))
    throw wrongField('Idempotency-Key', 'send 1 to 255 visible ASCII characters')
  return key
}

export const lastEventIdOf = ({ headers }: FastifyRequest, shape: RegExp): string | null => {
  const id = headers['last-event-id']
  if (id === undefined || id === '') return null
  if (typeof id !== 'string' || !shape.test(id))
    throw wrongField('Last-Event-ID', 'send the id of an event of this stream, or omit the header')
  return id
}

export const IdempotencyKey = createParamDecorator((_: unknown, context: ExecutionContext): string | undefined =>
  idempotencyKeyOf(context.switchToHttp().getRequest<FastifyRequest>()),
)

/** A client that accepts both JSON and event streams gets JSON. */
export const wantsEvents = ({ headers: { accept = '' } }: FastifyRequest): boolean =>
  /text\/event-stream/i.test(accept) && !/application\/json/i.test(accept)

/** Reads the seconds to wait from the header Prefer (RFC 7240). Returns 0 if the header names no wait. */
export const waitSeconds = (prefer: string | undefined): number => {
  const [, seconds] = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,6})"?/i.exec(prefer ?? '') ?? []
  return Math.min(Number(seconds ?? 0), bounds.waitSeconds)
}

export const originOf = ({ protocol, host }: FastifyRequest, { publicUrl }: Pick<Settings, 'publicUrl'>): string =>
  publicUrl ?? `${protocol}://${host}`
