import type { Refusal } from '@plumbline/commands/command.mjs'
import { batch } from '@plumbline/commands/rows/batch.mjs'
import { type Environment, fault, type GatewayAddress, gatewayOf, readCommand } from '../args'

export type BatchOptions = GatewayAddress &
  ({ do: 'ask'; file: string } | { do: 'watch'; id: string } | { do: 'cancel'; id: string })
type BatchCommand = { kind: 'batch'; options: BatchOptions } | Refusal

export const readBatchArgs = (words: string[], env: Environment, own: string | null): BatchCommand =>
  readCommand(batch, words, ({ values, positionals }): BatchCommand => {
    const asked = [...positionals, values.watch, values.cancel].filter((one) => one !== undefined)
    const [what = ''] = asked
    if (asked.length !== 1) return fault('Give one questions file, or the id of a batch after --watch or --cancel.')
    const at = gatewayOf(values, env, own)
    if (positionals.length > 0) return { kind: 'batch', options: { do: 'ask', file: what, ...at } }
    return { kind: 'batch', options: { do: values.watch === undefined ? 'cancel' : 'watch', id: what, ...at } }
  })
