import type { Refusal } from '@plumbline/commands/command.mjs'
import { audit } from '@plumbline/commands/rows/audit.mjs'
import { type Environment, fault, type GatewayAddress, gatewayOf, readCommand } from '../args'

export type AuditCommand =
  | { kind: 'verify'; file: string | null; expect?: string; json: boolean; place: GatewayAddress }
  | { kind: 'export'; place: GatewayAddress }
  | {
      kind: 'list'
      json: boolean
      place: GatewayAddress
      wanted: { action?: string; actor?: string; from?: string; to?: string }
    }
  | Refusal

export const readAuditArgs = (words: string[], env: Environment, own: string | null): AuditCommand =>
  readCommand(audit, words, ({ values, positionals }): AuditCommand => {
    const place = gatewayOf(values, env, own)
    const [kind, file = null, ...more] = positionals
    if (more.length > 0) return fault('Give only one file to verify.')
    const { json, action, actor, from, to } = values
    const expect = values.expect?.toLowerCase()
    if (expect !== undefined && !/^[0-9a-f]{64}$/.test(expect))
      return fault('--expect needs the hash that verify prints: 64 hexadecimal digits.')
    if (kind === 'verify') return { kind, file, json, place, ...(expect !== undefined && { expect }) }
    if (kind === 'export') return { kind, place }
    return {
      kind: 'list',
      json,
      place,
      wanted: { ...(action && { action }), ...(actor && { actor }), ...(from && { from }), ...(to && { to }) },
    }
  })
