import type { Refusal } from '@plumbline/commands/command.mjs'
import { clean } from '@plumbline/contracts'
import { faultText } from './fault'
import { WrongArgument } from './ingest/find-files'
import { paintFor, type Screen } from './render/text'

/** The maximum width of the output in columns. Longer lines are hard to read. */
const widest = 110

export const screenOf = (stream: NodeJS.WriteStream): Screen => ({
  paint: paintFor(stream, process.env),
  // Some terminals report a width of 0. Use 80 columns instead.
  width: Math.min(stream.columns || 80, widest),
})

/** Prints the help or the error message, and returns the exit code. */
export const printRefusal = (refusal: Refusal): number => {
  if (refusal.kind === 'fault') {
    process.stderr.write(`${refusal.message}\n`)
    return 2
  }
  process.stdout.write(`${refusal.text}\n`)
  return 0
}

/** Returns the exit code of `work`. For an expected error, prints its message and returns 1. */
export const withFaultText = async (work: Promise<number>, url: string): Promise<number> => {
  try {
    return await work
  } catch (error) {
    const words = error instanceof WrongArgument ? error.message : faultText(error, url)
    if (words === null) throw error
    process.stderr.write(`${paintFor(process.stderr, process.env).bad(clean(words))}\n`)
    return 1
  }
}
