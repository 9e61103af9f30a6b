import { parseArgs } from 'node:util'
import { secretOf } from '@plumbline/platform/env'
import type { BulkReplay } from '@plumbline/contracts'
import { addressOf, isAddress, type Environment } from '../args'

type GatewayAddress = { url: string; key?: string }
export type AbandonedCommand =
  | { kind: 'list'; json: boolean; place: GatewayAddress }
  | { kind: 'replay'; json: boolean; place: GatewayAddress; asked: BulkReplay }
  | { kind: 'help' }
  | { kind: 'fault'; message: string }

export const abandonedHelp = `List the abandoned tasks, and ask the questions of their runs again.

  npm run abandoned                                 list the abandoned tasks, newest first
  npm run abandoned -- replay <run id> …            ask the questions of these runs again
  npm run abandoned -- replay --from <time>         ask the questions of all runs again that were abandoned since this
                                                    time and ended without an answer; --to <time> ends the range

  --json           print only one JSON object on standard output (use npm run -s abandoned)
  --url <address>  the gateway (default: PLUMBLINE_URL, then PORT, then the gateway
                   that was started from this folder, then http://127.0.0.1:3000)
  --key <key>      the key of an admin or operator (default: PLUMBLINE_KEY, or the content of the
                   file that PLUMBLINE_KEY_FILE names)
  --help, -h       show this help

A time has ISO format, such as 2026-11-22T20:00:00Z. A repeated command asks no question twice.

Ends with 0: done; 1: the gateway did not answer or refused the request; 2: the command is invalid;
4: some questions were not asked again (the output gives the reasons).`

const options = {
  from: { type: 'string' },
  to: { type: 'string' },
  json: { type: 'boolean', default: false },
  url: { type: 'string' },
  key: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const

const fault = (message: string): AbandonedCommand => ({ kind: 'fault', message })

export const readAbandonedArgs = (words: string[], env: Environment, own: string | null): AbandonedCommand => {
  try {
    const { values, positionals } = parseArgs({ args: words, options, allowPositionals: true })
    if (values.help) return { kind: 'help' }
    const url = addressOf(values.url, env, own)
    if (!isAddress(url)) return fault(`"${url}" is not an address: write it as http://host:port.`)
    const key = values.key ?? secretOf(env, 'PLUMBLINE_KEY')
    const place = { url: url.replace(/\/+$/, ''), ...(key && { key }) }
    const { json, from, to } = values
    const [kind = 'list', ...runIds] = positionals
    const hasRange = from !== undefined || to !== undefined
    if (kind === 'list' && runIds.length === 0 && !hasRange) return { kind, json, place }
    if (kind !== 'replay') return fault(abandonedHelp)
    if (runIds.length > 0 === hasRange || (hasRange && from === undefined))
      return fault('replay needs either run ids, or --from with an optional --to.')
    const range = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
    return { kind, json, place, asked: hasRange ? range : { runIds } }
  } catch (error) {
    return fault(`${error instanceof Error ? error.message : String(error)}\n\n${abandonedHelp}`)
  }
}
