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

export const keysHelp = `Make, list, rotate and revoke keys.

  npm run keys -- list                                who may come in
  npm run keys -- create "The help page" --role asker
  npm run keys -- rotate <id> --grace 24h             a new key for the same id; the old one for a day yet
  npm run keys -- revoke <id>                         counts no more, everywhere within seconds
  npm run keys -- first --tenant acme                 the first admin's key, written into the Redis that REDIS_URL names

  --role <role>          asker, reviewer, admin, names-reviewers or operator; may be given several times
  --access <tag>         may read documents with this tag; may be given several times; "*" for all
  --expires <when>       a time such as 90d or 12h from now, or 2027-11-22T20:00:00Z
  --grace <time>         how long the old key counts yet: 90s, 30m, 24h, 7d or 0 (default: 1h)
  --tenant <name>        another tenant than the key's own: for operators, and for first
  --operator             with first: the key may also do what all tenants share
  --force                revoke the last admin's key; with first: although the tenant has an admin's key
  --json                 one JSON object on standard output, and nothing else there (npm run -s keys)
  --url <address>        the gateway (default: PLUMBLINE_URL, PORT, the one that
                         runs from this folder, http://127.0.0.1:3000)
  --key <key>            an admin's key (or PLUMBLINE_KEY, or PLUMBLINE_KEY_FILE: a file that holds it)
  --help, -h             this

A key that is made stands alone on standard output, this once; what is kept of it is a hash.

Ends with 0: done; 1: the gateway or Redis did not answer or refused; 2: the command could not be understood.`

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
  if (values.role.length === 0) return fault('Name one role at least: --role asker.')
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
      ? fault('Name the tenant: npm run keys -- first --tenant acme.')
      : { kind, tenant, operator: values.operator, options }
  const [id] = named
  if ((kind !== 'rotate' && kind !== 'revoke') || named.length > 1) return fault(keysHelp)
  if (id === undefined)
    return fault(`Name the key by its id: npm run keys -- ${kind} <id>; npm run keys -- list shows it.`)
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
