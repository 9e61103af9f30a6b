import { z } from 'zod'
import { LedgerEvent } from './ledger'
import { Citation } from './passage'
import { Answer, EndStatus } from './run-view'

/** The last event of a run as a stream shows it: the answer with its citations and quotes filled in. */
const Ended = z.object({
  type: z.literal('ended'),
  audience: z.literal('asker'),
  at: z.number(),
  task: z.string().optional(),
  status: EndStatus,
  reason: z.string(),
  answer: Answer.optional(),
  /** What was read and comes closest, where the documents do not hold what was asked. */
  nearest: z.array(Citation).optional(),
  /** Who ended it, where a person did; shown at the desk. */
  by: z.string().optional(),
})
type Ended = z.infer<typeof Ended>

/** A piece of a draft nobody has checked. It replaces what stands from `from` on; another `task` or `start` begins anew. */
export const DraftPiece = z.object({
  type: z.literal('draft'),
  unchecked: z.literal(true),
  task: z.string(),
  start: z.number().int(),
  from: z.number().int(),
  text: z.string(),
})
export type DraftPiece = z.infer<typeof DraftPiece>

export type StreamEvent = Exclude<LedgerEvent, { type: 'ended' }> | Ended | DraftPiece
export const StreamEvent: z.ZodType<StreamEvent> = z.union([
  Ended,
  DraftPiece,
  LedgerEvent.refine((event): event is Exclude<LedgerEvent, { type: 'ended' }> => event.type !== 'ended'),
])
