import { readWords, type Refusal } from '@plumbline/commands/command.mjs'
import { batch } from '@plumbline/commands/rows/batch.mjs'
import { secretOf } from '@plumbline/platform/env'
import { addressOf, isAddress, type Environment } from '../args'

export type BatchOptions = { url: string; key?: string } & (
  { do: 'ask'; file: string } | { do: 'watch'; id: string } | { do: 'cancel'; id: string }
)
type BatchCommand = { kind: 'batch'; options: BatchOptions } | Refusal

export const readBatchArgs = (words: string[], env: Environment, own: string | null): BatchCommand => {
  try {
    const read = readWords(batch, words)
    if (read.kind !== 'words') return read
    const { values, positionals } = read
    const url = addressOf(values.url, env, own)
    if (!isAddress(url)) return { kind: 'fault', message: `"${url}" is not an address: write it as http://host:port.` }
    const asked = [...positionals, values.watch, values.cancel].filter((one) => one !== undefined)
    const [what = ''] = asked
    if (asked.length !== 1)
      return {
        kind: 'fault',
        message: 'Give one questions file, or the id of a batch after --watch or --cancel.',
      }
    const key = values.key ?? secretOf(env, 'PLUMBLINE_KEY')
    const at = { url: url.replace(/\/+$/, ''), ...(key && { key }) }
    if (positionals.length > 0) return { kind: 'batch', options: { do: 'ask', file: what, ...at } }
    return { kind: 'batch', options: { do: values.watch === undefined ? 'cancel' : 'watch', id: what, ...at } }
  } catch (error) {
    return { kind: 'fault', message: error instanceof Error ? error.message : String(error) }
  }
}
