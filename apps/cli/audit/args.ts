import { readWords, type Refusal } from '@plumbline/commands/command.mjs'
import { audit } from '@plumbline/commands/rows/audit.mjs'
import { secretOf } from '@plumbline/platform/env'
import { addressOf, isAddress, type Environment } from '../args'

type GatewayAddress = { url: string; key?: string }
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

const fault = (message: string): AuditCommand => ({ kind: 'fault', message })

export const readAuditArgs = (words: string[], env: Environment, own: string | null): AuditCommand => {
  try {
    const read = readWords(audit, words)
    if (read.kind !== 'words') return read
    const { values, positionals } = read
    const url = addressOf(values.url, env, own)
    if (!isAddress(url)) return fault(`"${url}" is not an address: write it as http://host:port.`)
    const key = values.key ?? secretOf(env, 'PLUMBLINE_KEY')
    const place = { url: url.replace(/\/+$/, ''), ...(key && { key }) }
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
  } catch (error) {
    return fault(error instanceof Error ? error.message : String(error))
  }
}
