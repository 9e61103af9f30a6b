import { AppError } from '@plumbline/platform'
import { Unfit } from '@plumbline/ports/document-parser'
import type { Limits } from './limits'
import { lastWords } from './shared-slots'

export const bomb = (cause?: unknown): Unfit =>
  new Unfit(
    'bomb',
    'This document becomes far larger than it looks when it is opened, so it was not read. Save it again from the program that made it, or split it.',
    { cause },
  )

export const tooSlow = (limits: Limits): Unfit =>
  new Unfit(
    'too-slow',
    `This document was not read within the time it has, which is ${Math.round(limits.timeMs / 1_000)} s at most. Split it, or save it again from the program that made it.`,
  )

export const wentWrong = (cause: string): Unfit =>
  new Unfit(
    'unreadable',
    'This document cannot be read: something in it is not as its format asks for. Open it, save it again, and bring the new file.',
    { cause: new Error(cause) },
  )

const heap = /heap out of memory|Reached heap limit|invalid table size|array buffer allocation failed/i

/** Where nobody but the system ends it so, it is for memory; the other signals are meant for us and come to it by the way. */
const outOfMemory = (said: string, signal: NodeJS.Signals | null): boolean =>
  said.includes(lastWords.memory) || heap.test(said) || signal === 'SIGKILL'

/** What it means that the process ended before it answered. */
export const crashed = (said: string, code: number | null, signal: NodeJS.Signals | null, limits: Limits): AppError => {
  if (said.includes(lastWords.cpu)) return tooSlow(limits)
  if (outOfMemory(said, signal)) return bomb(new Error(said.trim()))
  const how = new Error(`the reading process ended (${signal ?? code}): ${said.trim().slice(-1_000)}`)
  return signal === 'SIGINT' || signal === 'SIGTERM' || signal === 'SIGHUP'
    ? new AppError('parser.ended', 'later', { cause: how })
    : wentWrong(how.message)
}
