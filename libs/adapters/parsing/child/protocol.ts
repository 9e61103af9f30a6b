import { ParsedDocument } from '@plumbline/contracts'
import type { Format } from '@plumbline/contracts'
import { unfitReasons } from '@plumbline/ports/document-parser'
import { z } from 'zod'
import type { Limits } from './limits'

/** What the child is sent; `bytes` bytes follow on its standard input. */
export type Order = { bytes: number; name: string; mediaType?: string; format?: Format; limits: Limits }

/** What the child answers, and how much it holds then. It read a stranger's file, so what it says is checked like a stranger's words. */
export const Answer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('page'), done: z.number(), of: z.number() }),
  z.object({ kind: z.literal('read'), document: ParsedDocument, memoryMb: z.number() }),
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
