import { createClient } from '@plumbline/client'
import { cleanName, type KeyView, type KeyWithSecret } from '@plumbline/contracts'
import { count, type Screen, truncated } from '../render/text'
import type { KeysCommand, KeysOptions } from './args'
import { createFirstKey } from './first-key'

type Output = { write(text: string): unknown }
/** `output` is standard output and gets only the result. `aside` gets remarks to the person. */
type ManageOptions = { screen: Screen; output: Output; aside: Output; env: Record<string, string | undefined> }

const day = (iso: string): string => iso.slice(0, 10)
const minute = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)}`

const stateOf = ({ status, expiresAt, oldUntil, revokedAt }: KeyView): string => {
  if (status === 'revoked') return `revoked ${day(revokedAt ?? '')}`
  if (status === 'expired') return `expired ${day(expiresAt ?? '')}`
  const until = expiresAt === undefined ? '' : `until ${day(expiresAt)}`
  return oldUntil === undefined ? until : `${until}${until && ', '}old secret until ${minute(oldUntil)}`
}

const rowOf = (key: KeyView, { paint, width }: Screen): string => {
  const { id, name, prefix, roles, access, status, lastUsedAt } = key
  const tags = access === 'all' ? ' *' : access.length > 0 ? ` :${access.map(cleanName).join('+')}` : ''
  const used = lastUsedAt === undefined ? 'never used' : `used ${minute(lastUsedAt)}`
  const head = `  ${id}  ${prefix}…  ${truncated(cleanName(name), Math.max(20, width - 50))}`
  const rest = [`${roles.join('+')}${tags}`, used, stateOf(key)].filter((part) => part !== '').join(' · ')
  return status === 'active' ? `${head}\n      ${paint.dim(rest)}` : paint.dim(`${head}\n      ${rest}`)
}

/** Prints a new key. Only the key itself goes to standard output, so that a script can read it. */
const show = (made: KeyWithSecret, { output, aside, screen }: ManageOptions, { json }: KeysOptions): number => {
  if (json) {
    output.write(`${JSON.stringify(made)}\n`)
    return 0
  }
  output.write(`${made.key}\n`)
  const { id, tenant, roles, oldUntil } = made
  aside.write(
    [
      `${id} of ${tenant}: ${roles.join(', ')}.${oldUntil === undefined ? '' : ` The old secret is valid until ${minute(oldUntil)} UTC.`}`,
      screen.paint.warn('This key is shown only once. Store it now. Send it as Authorization: Bearer <key>.'),
      '',
    ].join('\n'),
  )
  return 0
}

const list = async (options: KeysOptions, { output, screen }: ManageOptions): Promise<number> => {
  const { url, key, tenant, json } = options
  const all = await createClient({ url, ...(key && { key }) }).keys({ ...(tenant !== undefined && { tenant }) })
  if (json) {
    output.write(`${JSON.stringify(all)}\n`)
    return 0
  }
  for (const one of all.items) output.write(`${rowOf(one, screen)}\n`)
  const fixed = all.fixed > 0 ? `, and ${all.fixed} in the settings of the gateway` : ''
  output.write(`${count(all.items.length, 'key')}${fixed}\n`)
  return 0
}

export const manageKeys = async (
  command: Exclude<KeysCommand, { kind: 'help' | 'fault' }>,
  managing: ManageOptions,
): Promise<number> => {
  const { options } = command
  const { url, key, tenant } = options
  const client = createClient({ url, ...(key && { key }) })
  const named = { ...(tenant !== undefined && { tenant }) }
  switch (command.kind) {
    case 'list':
      return list(options, managing)
    case 'create':
      return show(await client.createKey(command.made), managing, options)
    case 'rotate':
      return show(await client.rotateKey(command.id, command.graceSeconds, named), managing, options)
    case 'first':
      return show(await createFirstKey(command, managing.env), managing, options)
    case 'revoke':
      await client.revokeKey(command.id, { force: options.force, ...named })
      managing.output.write(
        options.json ? `${JSON.stringify({ revoked: command.id })}\n` : `${command.id} is revoked\n`,
      )
      return 0
  }
}
