import { PageWords, ParsedDocument, type Format } from '@plumbline/contracts'
import { AppError } from '@plumbline/platform'
import { Unfit, unfitReasons } from '@plumbline/ports/document-parser'
import { z } from 'zod'
import type { Limits } from '../limits'
import type { OcrData } from '../ocr/recognise'
import { lastWords } from './process-setup'

/**
 * The parent sends this order to the child, and then `bytes` bytes of the file on standard input. If `draw` is set, the
 * child draws this page instead of reading the file.
 */
export type Order = {
  bytes: number
  name: string
  mediaType?: string
  format?: Format
  limits: Limits
  ocr?: OcrData
  draw?: number
}

/** The parent validates every answer of the child, because an untrusted file may have taken over the child. */
export const Answer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('page'), done: z.number(), of: z.number() }),
  z.object({ kind: z.literal('ocr') }),
  z.object({ kind: z.literal('read'), document: ParsedDocument, memoryMb: z.number() }),
  z.object({
    kind: z.literal('drawn'),
    page: PageWords.extend({ png: z.base64() }).nullable(),
    memoryMb: z.number(),
  }),
  z.object({
    kind: z.literal('unfit'),
    reason: z.enum(unfitReasons),
    words: z.string().max(2_000),
    page: z.number().int().optional(),
    memoryMb: z.number(),
  }),
  z.object({ kind: z.literal('fault'), message: z.string() }),
])
export type Answer = z.infer<typeof Answer>

export const bomb = (cause?: unknown): Unfit =>
  new Unfit(
    'bomb',
    'This document becomes far larger than its file when it is opened, so it was not read. Save the document again in the program that created it, or split it.',
    { cause },
  )

export const tooSlow = (limits: Limits): Unfit =>
  new Unfit(
    'too-slow',
    `Reading this document takes longer than the allowed time of at most ${Math.round(limits.timeMs / 1_000)} s. Split the document, or save it again in the program that created it.`,
  )

export const wentWrong = (cause: string): Unfit =>
  new Unfit(
    'unreadable',
    'This document cannot be read, because its content violates its format. Open the document, save it again, and upload the new file.',
    { cause: new Error(cause) },
  )

const heap = /heap out of memory|Reached heap limit|invalid table size|array buffer allocation failed/i

/** Returns true if the child used too much memory. An unexpected SIGKILL comes from the watchdog or the system. */
const endedForMemory = (said: string, signal: NodeJS.Signals | null): boolean =>
  said.includes(lastWords.memory) || heap.test(said) || signal === 'SIGKILL'

export const crashed = (said: string, code: number | null, signal: NodeJS.Signals | null, limits: Limits): AppError => {
  if (said.includes(lastWords.cpu)) return tooSlow(limits)
  if (endedForMemory(said, signal)) return bomb(new Error(said.trim()))
  const how = new Error(`the reading process ended (${signal ?? code}): ${said.trim().slice(-1_000)}`)
  return signal === 'SIGINT' || signal === 'SIGTERM' || signal === 'SIGHUP'
    ? new AppError('parser.ended', 'later', { cause: how })
    : wentWrong(how.message)
}
