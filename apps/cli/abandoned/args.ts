import { readWords, type Refusal } from '@plumbline/commands/command.mjs'
import { abandoned } from '@plumbline/commands/rows/abandoned.mjs'
import { secretOf } from '@plumbline/platform/env'
import type { BulkReplay } from '@plumbline/contracts'
import { addressOf, isAddress, type Environment } from '../args'

type GatewayAddress = { url: string; key?: string }
export type AbandonedCommand =
  | { kind: 'list'; json: boolean; place: GatewayAddress }
  | { kind: 'replay'; json: boolean; place: GatewayAddress; asked: BulkReplay }
  | Refusal

const fault = (message: string): AbandonedCommand => ({ kind: 'fault', message })

export const readAbandonedArgs = (words: string[], env: Environment, own: string | null): AbandonedCommand => {
  try {
    const read = readWords(abandoned, words)
    if (read.kind !== 'words') return read
    const { values, positionals } = read
    const url = addressOf(values.url, env, own)
    if (!isAddress(url)) return fault(`"${url}" is not an address: write it as http://host:port.`)
    const key = values.key ?? secretOf(env, 'PLUMBLINE_KEY')
    const place = { url: url.replace(/\/+$/, ''), ...(key && { key }) }
    const { json, from, to } = values
    const [kind = 'list', ...runIds] = positionals
    if (kind !== 'replay') return { kind: 'list', json, place }
    const hasRange = from !== undefined || to !== undefined
    if (runIds.length > 0 === hasRange || (hasRange && from === undefined))
      return fault('replay needs either run ids, or --from with an optional --to.')
    const range = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
    return { kind, json, place, asked: hasRange ? range : { runIds } }
  } catch (error) {
    return fault(error instanceof Error ? error.message : String(error))
  }
}
