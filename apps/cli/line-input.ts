import { createInterface } from 'node:readline'
import type { ReadStream } from 'node:tty'

/** Reads input from the person. `ask` resolves to null if nobody can answer. */
export type LineInput = {
  ask(prompt: string, options?: { history?: string[]; withinMs?: number }): Promise<string | null>
  close(): void
}
type Input = NodeJS.ReadableStream & Partial<Pick<ReadStream, 'isTTY'>> & { destroy?(): void }

/** Reads lines at a terminal. Ctrl-C clears the line. If the line is empty, Ctrl-C ends the input, as Ctrl-D does. */
const atTerminal = (input: Input, output: NodeJS.WritableStream): LineInput => ({
  ask: (prompt, { history = [] } = {}) =>
    new Promise((resolve) => {
      const reader = createInterface({
        input,
        output,
        terminal: true,
        history: [...history].reverse(),
        historySize: 500,
      })
      const settle = (line: string | null): void => {
        resolve(line)
        reader.close()
      }
      reader.once('close', () => resolve(null))
      reader.on('SIGINT', () => {
        if (reader.line === '') return settle(null)
        reader.write(null, { ctrl: true, name: 'e' })
        reader.write(null, { ctrl: true, name: 'u' })
      })
      reader.question(prompt, settle)
    }),
  close: () => undefined,
})

/** Reads lines from a pipe. A time limit is possible, because a pipe may stay open although nobody writes to it. */
const piped = (input: Input, output: NodeJS.WritableStream): LineInput => {
  const waiting: string[] = []
  let ended = false
  let wake = (): void => undefined
  const reader = createInterface({ input })
  reader.on('line', (line) => (waiting.push(line), wake()))
  reader.once('close', () => ((ended = true), wake()))
  const arrives = (withinMs: number | undefined): Promise<void> =>
    new Promise((resolve) => {
      const timer = withinMs === undefined ? undefined : setTimeout(resolve, withinMs)
      wake = () => (clearTimeout(timer), resolve())
    })
  return {
    ask: async (prompt, { withinMs } = {}) => {
      output.write(prompt)
      if (waiting.length === 0 && !ended) await arrives(withinMs)
      const line = waiting.shift() ?? null
      output.write(`${line ?? ''}\n`)
      return line
    },
    close: () => {
      reader.close()
      input.destroy?.()
    },
  }
}

export const openLineInput = (input: Input, output: NodeJS.WritableStream): LineInput =>
  input.isTTY ? atTerminal(input, output) : piped(input, output)
