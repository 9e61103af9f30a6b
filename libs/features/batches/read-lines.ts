import { setImmediate as nextTurn } from 'node:timers/promises'
import type { KeptLine } from './store/batch'
import { BatchLine } from '@plumbline/contracts'
import type { Caller } from '@plumbline/gateway/http/authenticate'
import { accessOf } from '@plumbline/gateway/http/caller'
import { decodeUtf8, parseBody } from '@plumbline/gateway/http/body'
import { Refusal } from '@plumbline/gateway/http/problem'
import { validate } from '@plumbline/gateway/http/validate'
import { bounds } from '@plumbline/gateway/settings'

type Fault = { field: string; message: string }

const maxFaults = 20
/** The number of lines that are checked before other requests get a turn. It is low, so that they wait only briefly. */
const perTurn = 100

const linesIn = (text: string): string[] => {
  const lines = text.split('\n')
  return lines.at(-1)?.trim() === '' ? lines.slice(0, -1) : lines
}

const faultsOf = (error: unknown, line: number): Fault[] => {
  if (!(error instanceof Refusal)) throw error
  const { errors, detail } = error.problem
  return (errors ?? [{ field: '', message: detail }]).map(({ field, message }) => ({
    field: `line ${line}${field === '' || field === 'body' ? '' : `: ${field}`}`,
    message,
  }))
}

const readLine = (caller: Caller, text: string, line: number): KeptLine => {
  if (text.trim() === '') throw new Refusal('invalid-request', 'is empty: write a question as JSON, or remove the line')
  const { custom_id = `${line}`, ...ask } = validate(BatchLine, parseBody(text, 'The line'))
  accessOf(caller, ask.access)
  return { custom_id, ask }
}

const idBook = () => {
  const lines = new Map<string, number>()
  return (id: string, line: number): Fault | null => {
    const before = lines.get(id)
    lines.set(id, before ?? line)
    return before === undefined
      ? null
      : {
          field: `line ${line}: custom_id`,
          message: `line ${before} already has the id ${id}: give each line its own id`,
        }
  }
}

const tooMany = (count: number): Refusal =>
  new Refusal(
    'invalid-request',
    `A batch may have at most ${bounds.batchLines} lines, and this one has ${count}. Split it into several batches.`,
  )

export const readLines = async (caller: Caller, body: Buffer): Promise<KeptLine[]> => {
  const texts = linesIn(decodeUtf8(body, 'The body'))
  if (texts.length > bounds.batchLines) throw tooMany(texts.length)
  if (texts.length === 0) throw new Refusal('invalid-request', 'Send a question on every line, as JSON.')
  const note = idBook()
  const read: KeptLine[] = []
  const faults: Fault[] = []
  for (const [at, text] of texts.entries()) {
    if (at % perTurn === perTurn - 1) await nextTurn()
    try {
      const kept = readLine(caller, text, at + 1)
      const twice = note(kept.custom_id, at + 1)
      if (twice) faults.push(twice)
      read.push(kept)
    } catch (error) {
      faults.push(...faultsOf(error, at + 1))
    }
  }
  if (faults.length === 0) return read
  const first = faults.slice(0, maxFaults)
  const more = faults.length > maxFaults ? `; and ${faults.length - maxFaults} more` : ''
  const said = first.map(({ field, message }) => `${field}: ${message}`).join('; ')
  throw new Refusal('invalid-request', `No question of this batch was asked. ${said}${more}`, { errors: first })
}
