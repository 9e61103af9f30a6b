import type { readWords, Refusal } from '@plumbline/commands/command.mjs'
import { keys } from '@plumbline/commands/rows/keys.mjs'
import { NewKey } from '@plumbline/contracts'
import { type Environment, fault, type GatewayAddress, gatewayOf, readCommand } from '../args'

export type KeysOptions = GatewayAddress & {
  json: boolean
  tenant?: string
  force: boolean
}
export type KeysCommand =
  | { kind: 'list'; options: KeysOptions }
  | { kind: 'create'; made: NewKey; options: KeysOptions }
  | { kind: 'rotate'; id: string; graceSeconds: number; options: KeysOptions }
  | { kind: 'revoke'; id: string; options: KeysOptions }
  | { kind: 'first'; tenant: string; operator: boolean; options: KeysOptions }
  | Refusal

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

type Given = Exclude<ReturnType<typeof readWords<typeof keys.options>>, Refusal>

const createOf = (named: string[], values: Given['values'], options: KeysOptions): KeysCommand => {
  const { role = [], access = [] } = values
  if (role.length === 0) return fault('Give at least one role, such as --role asker.')
  const made = NewKey.safeParse({
    name: named.join(' '),
    roles: role,
    ...(access.length > 0 && { access: access.includes('*') ? 'all' : access }),
    ...(values.expires !== undefined && { expiresAt: timeOf(values.expires) }),
    ...(values.tenant !== undefined && { tenant: values.tenant }),
  })
  if (made.success) return { kind: 'create', made: made.data, options }
  const [wrong] = made.error.issues
  const field = String(wrong?.path[0])
  const words: Record<string, string> = { name: 'The name', roles: '--role', expiresAt: '--expires' }
  return fault(`${words[field] ?? `--${field}`}: ${wrong?.message}.`)
}

const read = ({ values, positionals }: Given, gateway: GatewayAddress): KeysCommand => {
  const [kind, ...named] = positionals
  const { json, force, tenant } = values
  const options = { json, force, ...gateway, ...(tenant !== undefined && { tenant }) }
  if (kind === 'create') return createOf(named, values, options)
  if (kind === 'list') return { kind, options }
  if (kind === 'first')
    return tenant === undefined
      ? fault('Give the tenant, such as npm run plumbline -- keys first --tenant acme.')
      : { kind, tenant, operator: values.operator, options }
  const [id] = named
  if (named.length > 1) return fault('Give only one id.')
  if (id === undefined)
    return fault(
      `Give the id of the key: npm run plumbline -- keys ${kind} <id>. npm run plumbline -- keys list shows the ids.`,
    )
  const graceSeconds = secondsOf(values.grace)
  if (graceSeconds === null) return fault('Write --grace as 90s, 30m, 24h, 7d or 0.')
  return kind === 'rotate' ? { kind, id, graceSeconds, options } : { kind: 'revoke', id, options }
}

export const readKeysArgs = (words: string[], env: Environment, own: string | null): KeysCommand =>
  readCommand(keys, words, (given) => read(given, gatewayOf(given.values, env, own)))
