import { createHmac, hash } from 'node:crypto'
import { AccessTags, KeyRole } from '@plumbline/contracts'
import { EnvError } from '@plumbline/platform/env'
import type { Caller, Role } from './authenticate'

/** A shorter key could be guessed. */
const leastKeyLength = 24

export type FixedKeys = {
  find(key: string): Caller | undefined
  /** Finds a key by its id. Earlier ids of the key are also accepted. */
  named(tenant: string, id: string): Caller | undefined
  of(tenant: string): { all: number; admins: number }
  /** Replaces an earlier key id by the current id, so that both ids mean the same person. */
  currentActor(actor: string): string
  /** Adds salted ids and keeps the old ids valid. Callers get the salted ids only if `areInUse` is true. */
  useSalt(salt: string, areInUse: boolean): void
  /** The positions of keys that are shorter than recommended, counted from 1. */
  short: number[]
}

const isRole = (word: string): word is Role => KeyRole.options.some((role) => role === word)
const tenantName = /^[a-z0-9][a-z0-9-]{0,62}$/
const hashOf = (key: string): string => hash('sha256', key, 'hex')
const shape =
  'write API_KEYS as key:tenant:role[+role] or key:tenant:role[+role]:tag[+tag], and separate several keys by commas or new lines. A key may read documents without access tags and documents with one of its tags; the tag * allows all documents'

type Entry = { hashed: string; caller: Caller; ids: Set<string>; isShort: boolean }

/** Returns the key id that gateways of earlier versions use. */
const unsaltedId = (hashed: string): string => `key-${hashed.slice(0, 8)}`
const saltedId = (hashed: string, salt: string): string =>
  `key-${createHmac('sha256', salt).update(hashed).digest('hex').slice(0, 12)}`

const readEntry = (entry: string, place: number): Entry => {
  const fault = (why: string): EnvError => new EnvError(`API_KEYS, entry ${place}: ${why}; ${shape}`)
  const [key = '', tenant = '', words = '', tags = '', ...rest] = entry.split(':')
  const named = words.split('+')
  if (rest.length > 0) throw fault('it has too many colons: a key or a tag may not contain a colon')
  if (key.length < 8) throw fault('a key must have at least 8 characters')
  if (!tenantName.test(tenant)) throw fault('a tenant consists of lower-case letters, digits and dashes')
  const unknown = named.filter((word) => !isRole(word))
  if (unknown.length > 0)
    throw fault(`unknown role ${unknown.join(', ') || '(empty)'}; the roles are ${KeyRole.options.join(', ')}`)
  const access = tags === '*' ? 'all' : tags.split('+').filter((tag) => tag !== '')
  if (access !== 'all' && !AccessTags.safeParse(access).success)
    throw fault('an access tag consists of letters, digits and . @ _ -')
  const hashed = hashOf(key)
  const name = unsaltedId(hashed)
  const caller = { tenant, roles: new Set(named.filter(isRole)), name, access } satisfies Caller
  return { hashed, caller, ids: new Set([name]), isShort: key.length < leastKeyLength }
}

export const readApiKeys = (text: string): FixedKeys => {
  const entries = text
    .split(/[,\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((entry, index) => readEntry(entry, index + 1))
  if (entries.length === 0) throw new EnvError(`API_KEYS contains no key: ${shape}`)
  const byHash = new Map(entries.map((entry) => [entry.hashed, entry]))
  const byId = (id: string): Entry | undefined => entries.find(({ ids }) => ids.has(id))
  return {
    // Keys are looked up by hash, so that response times reveal nothing about a key.
    find: (key) => byHash.get(hashOf(key))?.caller,
    named: (tenant, id) => entries.find(({ caller, ids }) => caller.tenant === tenant && ids.has(id))?.caller,
    of: (tenant) => {
      const own = entries.filter(({ caller }) => caller.tenant === tenant)
      return { all: own.length, admins: own.filter(({ caller }) => caller.roles.has('admin')).length }
    },
    currentActor: (actor) => {
      const [, person = '', id = actor] = /^(\S+ as named by )?(\S+)$/.exec(actor) ?? []
      const entry = byId(id)
      return entry ? `${person}${entry.caller.name}` : actor
    },
    useSalt: (salt, areInUse) => {
      for (const entry of entries) {
        const salted = saltedId(entry.hashed, salt)
        entry.ids.add(salted)
        entry.caller = { ...entry.caller, name: areInUse ? salted : unsaltedId(entry.hashed) }
      }
    },
    short: entries.flatMap(({ isShort }, index) => (isShort ? [index + 1] : [])),
  }
}

export const noKeysError = (host: string): EnvError =>
  new EnvError(
    [
      `HOST is ${host}, which other machines can reach, but no keys are set, so all requests would be refused. Set up one of these:`,
      `  API_KEYS (or API_KEYS_FILE): ${shape}`,
      '  a key in the store: npm run plumbline -- keys first --tenant <tenant>, with the REDIS_URL of this gateway',
      '  OIDC_ISSUER and OIDC_AUDIENCE: tokens of your identity provider',
      'Or set HOST=127.0.0.1 to serve this machine only, without keys.',
    ].join('\n'),
  )
