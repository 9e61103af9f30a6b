import type { Asker } from '@plumbline/adapters/redis/api-keys/asker'
import type { BatchLine, BatchView, Problem } from '@plumbline/contracts'

export type NewBatch = { id: string; tenant: string; asker: Asker; total: number; lines: string; createdAt: number }

export type Batch = NewBatch & {
  status: BatchView['status']
  claimed: number
  counts: Omit<BatchView['progress'], 'total'>
  waitsFor?: string | undefined
  /** The number of the first line that was cancelled together with the batch. All later lines are cancelled too. */
  cancelledFrom?: number | undefined
  firstEndedAt?: number | undefined
  endedAt?: number | undefined
}

export type KeptLine = {
  custom_id: string
  ask?: Omit<BatchLine, 'custom_id'>
  status?: string
  error?: Problem
}

/** `asked` is true if the run of this line is stored. */
export type TakenLine = { batch: string; line: number; asked: boolean }

export const memberOf = ({ batch, line }: Pick<TakenLine, 'batch' | 'line'>): string => `${batch}.${line}`
export const takenLineOf = (member: string, asked: boolean): TakenLine => {
  const [batch = '', line] = member.split('.')
  return { batch, line: Number(line), asked }
}

const number = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text))

export const batchOf = (held: Record<string, string>): Batch | null => {
  if (held.told === undefined) return null
  const told = JSON.parse(held.told) as NewBatch
  const count = (what: string): number => Number(held[what] ?? 0)
  const ended = { answered: count('answered'), failed: count('failed'), cancelled: count('cancelled') }
  const under = { running: count('running'), parked: count('parked') }
  const known = [...Object.values(ended), ...Object.values(under)].reduce((sum, one) => sum + one, 0)
  return {
    ...told,
    status: held.status as Batch['status'],
    claimed: count('claimed'),
    counts: { waiting: told.total - known, ...under, ...ended },
    waitsFor: held.waitsFor,
    cancelledFrom: number(held.cancelledFrom),
    firstEndedAt: number(held.firstEndedAt),
    endedAt: number(held.endedAt),
  }
}
