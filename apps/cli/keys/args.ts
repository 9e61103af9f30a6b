import { parseArgs } from 'node:util'
import { NewKey } from '@plumbline/contracts'
import { secretOf } from '@plumbline/platform/env'
import { addressOf, isAddress, type Environment } from '../args'

export type KeysOptions = {
  json: boolean
  url: string
  key?: string
  tenant?: string
  force: boolean
}
export type KeysCommand =
  | { kind: 'list'; options: KeysOptions }
  | { kind: 'create'; made: NewKey; options: KeysOptions }
  | { kind: 'rotate'; id: string; graceSeconds: number; options: KeysOptions }
  | { kind: 'revoke'; id: string; options: KeysOptions }
  | { kind: 'first'; tenant: string; operator: boolean; options: KeysOptions }
  | { kind: 'help' }
  | { kind: 'fault'; message: string }

export const keysHelp = `Create, list, rotate and revoke API keys.

  npm run keys -- list                                list the keys
  npm run keys -- create "The help page" --role asker
  npm run keys -- rotate <id> --grace 24h             give a key a new secret; the old secret stays valid for a day
  npm run keys -- revoke <id>                         revoke a key; all gateways refuse it within seconds
  npm run keys -- first --tenant acme                 create the first admin key, directly in the Redis of REDIS_URL

  --role <role>          asker, reviewer, admin, names-reviewers or operator; repeat the option for several roles
  --access <tag>         allow documents with this access tag; repeat for several tags; "*" allows all documents
  --expires <when>       a time from now such as 90d or 12h, or a date such as 2027-11-22T20:00:00Z
  --grace <time>         how long the old secret stays valid: 90s, 30m, 24h, 7d or 0 (default: 1h)
  --tenant <name>        another tenant than the tenant of your own key: only for operators, and with first
  --operator             with first: also give the key the role operator, which manages all tenants
  --force                revoke the last admin key; with first: create a key although the tenant has an admin key
  --json                 print only one JSON object on standard output (use npm run -s keys)
  --url <address>        the gateway (default: PLUMBLINE_URL, then PORT, then the gateway
                         that was started from this folder, then http://127.0.0.1:3000)
  --key <key>            an admin's key (default: PLUMBLINE_KEY, or the content of the
                         file that PLUMBLINE_KEY_FILE names)
  --help, -h             show this help

The secret of a new key is printed on standard output, and is shown only once, because Plumbline stores only its hash.

Ends with 0: done; 1: the gateway or Redis did not answer or refused the request; 2: the command is invalid.`

const options = {
  role: { type: 'string', multiple: true, default: [] as string[] },
  access: { type: 'string', multiple: true, default: [] as string[] },
  expires: { type: 'string' },
  grace: { type: 'string', default: '1h' },
  tenant: { type: 'string' },
  operator: { type: 'boolean', default: false },
  force: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  url: { type: 'string' },
  key: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const

const fault = (message: string): KeysCommand => ({ kind: 'fault', message })

const units = { s: 1, m: 60, h: 3_600, d: 86_400 }
const secondsOf = (text: string): number | null => {
  if (text === '0') return 0
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  return count && unit ? Number(count) * units[unit as keyof typeof units] : null
}
const timeOf = (text: string): string => {
  const seconds = secondsOf(text)
  return seconds === null ? text : new Date(Date.now() + seconds * 1_000).toISOString()
}

type Values = ReturnType<typeof parse>['values']
const parse = (words: string[]) => parseArgs({ args: words, options, allowPositionals: true })

const createOf = (named: string[], values: Values, options: KeysOptions): KeysCommand => {
  if (values.role.length === 0) return fault('Give at least one role, such as --role asker.')
  const made = NewKey.safeParse({
    name: named.join(' '),
    roles: values.role,
    ...(values.access.length > 0 && { access: values.access.includes('*') ? 'all' : values.access }),
    ...(values.expires !== undefined && { expiresAt: timeOf(values.expires) }),
    ...(values.tenant !== undefined && { tenant: values.tenant }),
  })
  if (made.success) return { kind: 'create', made: made.data, options }
  const [wrong] = made.error.issues
  const field = String(wrong?.path[0])
  const words: Record<string, string> = { name: 'The name', roles: '--role', expiresAt: '--expires' }
  return fault(`${words[field] ?? `--${field}`}: ${wrong?.message}.`)
}

const read = (words: string[], env: Environment, own: string | null): KeysCommand => {
  const { values, positionals } = parse(words)
  if (values.help) return { kind: 'help' }
  const [kind, ...named] = positionals
  const url = addressOf(values.url, env, own)
  if (!isAddress(url)) return fault(`"${url}" is not an address: write it as http://host:port.`)
  const key = values.key ?? secretOf(env, 'PLUMBLINE_KEY')
  const { json, force, tenant } = values
  const options = {
    json,
    force,
    url: url.replace(/\/+$/, ''),
    ...(key && { key }),
    ...(tenant !== undefined && { tenant }),
  }
  if (kind === 'create') return createOf(named, values, options)
  if (kind === 'list' && named.length === 0) return { kind, options }
  if (kind === 'first' && named.length === 0)
    return tenant === undefined
      ? fault('Give the tenant, such as npm run keys -- first --tenant acme.')
      : { kind, tenant, operator: values.operator, options }
  const [id] = named
  if ((kind !== 'rotate' && kind !== 'revoke') || named.length > 1) return fault(keysHelp)
  if (id === undefined)
    return fault(`Give the id of the key: npm run keys -- ${kind} <id>. npm run keys -- list shows the ids.`)
  const graceSeconds = secondsOf(values.grace)
  if (graceSeconds === null) return fault('Write --grace as 90s, 30m, 24h, 7d or 0.')
  return kind === 'rotate' ? { kind, id, graceSeconds, options } : { kind, id, options }
}

export const readKeysArgs = (words: string[], env: Environment, own: string | null): KeysCommand => {
  try {
    return read(words, env, own)
  } catch (error) {
    return fault(`${error instanceof Error ? error.message : String(error)}\n\n${keysHelp}`)
  }
}
