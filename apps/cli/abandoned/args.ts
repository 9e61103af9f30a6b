import type { Refusal } from '@plumbline/commands/command.mjs'
import { abandoned } from '@plumbline/commands/rows/abandoned.mjs'
import type { BulkReplay } from '@plumbline/contracts'
import { type Environment, fault, type GatewayAddress, gatewayOf, readCommand } from '../args'

export type AbandonedCommand =
  | { kind: 'list'; json: boolean; place: GatewayAddress }
  | { kind: 'replay'; json: boolean; place: GatewayAddress; asked: BulkReplay }
  | Refusal

export const readAbandonedArgs = (words: string[], env: Environment, own: string | null): AbandonedCommand =>
  readCommand(abandoned, words, ({ values, positionals }): AbandonedCommand => {
    const place = gatewayOf(values, env, own)
    const { json, from, to } = values
    const [kind = 'list', ...runIds] = positionals
    if (kind !== 'replay') return { kind: 'list', json, place }
    const hasRange = from !== undefined || to !== undefined
    if (runIds.length > 0 === hasRange || (hasRange && from === undefined))
      return fault('replay needs either run ids, or --from with an optional --to.')
    const range = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
    return { kind, json, place, asked: hasRange ? range : { runIds } }
  })
