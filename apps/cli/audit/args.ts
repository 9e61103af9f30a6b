import { parseArgs } from 'node:util'
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
  | { kind: 'help' }
  | { kind: 'fault'; message: string }

export const auditHelp = `Show and verify the audit log: who changed what.

  npm run audit -- list                    list the newest entries; filters: --action key, --actor <name>,
                                           --from <time>, --to <time>
  npm run -s audit -- export > audit.jsonl export the whole log, one entry per line
  npm run audit -- verify audit.jsonl      verify that an exported log is unchanged
  npm run audit -- verify --url <address>  verify the current log of the gateway

  --expect <hash>        with verify: require that the log contains the entry with this hash, which an earlier
                         verify printed. Without --expect, a log whose end was removed is not detected
  --json                 print only one JSON object on standard output (use npm run -s audit)
  --url <address>        the gateway (default: PLUMBLINE_URL, then PORT, then the gateway
                         that was started from this folder, then http://127.0.0.1:3000)
  --key <key>            an admin's key (default: PLUMBLINE_KEY, or the content of the
                         file that PLUMBLINE_KEY_FILE names)
  --help, -h             show this help

Ends with 0: done, and the log is unchanged; 1: the gateway did not answer or refused the request, or a file cannot
be read; 2: the command is invalid; 5: the log was changed (verify names the first entry that shows this).`

const options = {
  action: { type: 'string' },
  actor: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  expect: { type: 'string' },
  json: { type: 'boolean', default: false },
  url: { type: 'string' },
  key: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const

const fault = (message: string): AuditCommand => ({ kind: 'fault', message })

export const readAuditArgs = (words: string[], env: Environment, own: string | null): AuditCommand => {
  try {
    const { values, positionals } = parseArgs({ args: words, options, allowPositionals: true })
    if (values.help) return { kind: 'help' }
    const url = addressOf(values.url, env, own)
    if (!isAddress(url)) return fault(`"${url}" is not an address: write it as http://host:port.`)
    const key = values.key ?? secretOf(env, 'PLUMBLINE_KEY')
    const place = { url: url.replace(/\/+$/, ''), ...(key && { key }) }
    const [kind, file = null, ...more] = positionals
    if (more.length > 0 || (file !== null && kind !== 'verify')) return fault(auditHelp)
    const { json, action, actor, from, to } = values
    const expect = values.expect?.toLowerCase()
    if (expect !== undefined && kind !== 'verify') return fault('--expect is only possible with verify.')
    if (expect !== undefined && !/^[0-9a-f]{64}$/.test(expect))
      return fault('--expect needs the hash that verify prints: 64 hexadecimal digits.')
    if (kind === 'verify') return { kind, file, json, place, ...(expect !== undefined && { expect }) }
    if (kind === 'export') return { kind, place }
    if (kind !== 'list') return fault(auditHelp)
    return {
      kind,
      json,
      place,
      wanted: { ...(action && { action }), ...(actor && { actor }), ...(from && { from }), ...(to && { to }) },
    }
  } catch (error) {
    return fault(`${error instanceof Error ? error.message : String(error)}\n\n${auditHelp}`)
  }
}
