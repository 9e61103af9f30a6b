import { BatchList, BatchResult, BatchView, type NewSchedule, ScheduleList, ScheduleView } from '@plumbline/contracts'
import type { z } from 'zod'
import { type Calls, type Connection, type Keyed, type Page, send, type Signalled, Unreachable } from './request'

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const piece of body) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

export const batchesOf = ({ read }: Calls, connection: Connection) => ({
  /** `jsonl` contains one question per line, as a JSON object. */
  createBatch: (jsonl: string, options?: Keyed) =>
    read(BatchView, ['batches'], { method: 'POST', lines: jsonl, ...options }),
  batches: ({ signal, ...query }: Page = {}) => read(BatchList, ['batches'], { query, signal }),
  batch: (id: string, options?: Signalled) => read(BatchView, ['batches', id], options),
  cancelBatch: (id: string, options?: Signalled) =>
    read(BatchView, ['batches', id, 'cancel'], { method: 'POST', ...options }),
  async *batchResults(id: string, options?: Signalled): AsyncGenerator<BatchResult> {
    const { body } = await send(connection, ['batches', id, 'results'], options)
    try {
      if (body) for await (const line of linesOf(body)) yield BatchResult.parse(JSON.parse(line))
    } catch (cause) {
      if (options?.signal?.aborted) throw cause
      throw new Unreachable(`the connection broke while the results of batch ${id} were sent`, { cause })
    }
  },
})

export const schedulesOf = ({ read, done }: Calls) => ({
  createSchedule: (schedule: z.input<typeof NewSchedule>, options?: Keyed) =>
    read(ScheduleView, ['schedules'], { method: 'POST', json: schedule, ...options }),
  schedules: (options?: Signalled) => read(ScheduleList, ['schedules'], options),
  schedule: (id: string, options?: Signalled) => read(ScheduleView, ['schedules', id], options),
  removeSchedule: (id: string, options?: Signalled) => done(['schedules', id], { method: 'DELETE', ...options }),
})
