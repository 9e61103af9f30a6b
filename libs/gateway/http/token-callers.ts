import { createHash } from 'node:crypto'
import { AccessTags, KeyRole, name } from '@plumbline/contracts'
import { isToken, openTokens, type Tokens } from '@plumbline/adapters/oidc/tokens'
import type { Caller, Callers } from './authenticate'
import type { OidcSettings } from './oidc.env'
import { isUnavailable, Refusal } from './problem'

/** The name of a claim may contain dots. It can then also be a path to a nested claim. */
const claimAt = (claims: Record<string, unknown>, path: string): unknown =>
  path in claims
    ? claims[path]
    : path
        .split('.')
        .reduce<unknown>(
          (value, part) =>
            typeof value === 'object' && value !== null && Object.hasOwn(value, part)
              ? Reflect.get(value, part)
              : undefined,
          claims,
        )

const wordsOf = (claim: unknown): string[] => {
  if (typeof claim === 'string') return claim.split(/[\s,]+/).filter((word) => word !== '')
  return Array.isArray(claim) ? claim.filter((word) => typeof word === 'string') : []
}

const rolesOf = (words: string[], mapped: OidcSettings['OIDC_ROLES']): KeyRole[] =>
  mapped
    ? words.flatMap((word) => mapped.get(word) ?? [])
    : words.flatMap((word) => KeyRole.exclude(['operator']).safeParse(word).data ?? [])

const accessOf = (words: string[]): Caller['access'] =>
  words.includes('*') ? 'all' : words.filter((word) => AccessTags.safeParse([word]).success)

const plainName = /^[\w.@+-]{1,64}$/
/** The prefix `oidc:` prevents a user of the issuer from having the same name as a key. */
const nameOf = (issuer: string, claims: Record<string, unknown>, path: string): string => {
  const said = claimAt(claims, path)
  if (typeof said === 'string' && plainName.test(said)) return `oidc:${said}`
  const hash = createHash('sha256')
    .update(`${issuer}\n${String(claims.sub)}`)
    .digest('hex')
  return `oidc:${hash.slice(0, 12)}`
}

const callerOf = (claims: Record<string, unknown>, settings: OidcSettings): Caller => {
  const { OIDC_TENANT_CLAIM: at, OIDC_TENANT: fixed } = settings
  const tenant = fixed ?? name.safeParse(claimAt(claims, at)).data
  if (tenant === undefined)
    throw new Refusal(
      'forbidden',
      `The claim ${at} of this token contains no valid tenant. Issue tokens whose claim names a tenant in lower-case letters, digits and dashes.`,
    )
  const roles = rolesOf(wordsOf(claimAt(claims, settings.OIDC_ROLES_CLAIM)), settings.OIDC_ROLES)
  if (roles.length === 0)
    throw new Refusal(
      'forbidden',
      `The claim ${settings.OIDC_ROLES_CLAIM} of this token contains no role of this system. Ask the operator to assign you a role.`,
    )
  return {
    tenant,
    roles: new Set(roles),
    name: nameOf(settings.issuer, claims, settings.OIDC_NAME_CLAIM),
    access: accessOf(wordsOf(claimAt(claims, settings.OIDC_ACCESS_CLAIM))),
  }
}

const away = (cause: unknown): Refusal =>
  new Refusal(
    'unavailable',
    'The identity provider cannot be reached, so this token cannot be checked. Send the request again later.',
    {
      retryAfter: 5,
      cause,
    },
  )

export const tokenCallers = (settings: OidcSettings, tokens: Tokens = openTokens(settings)): Callers => ({
  stillCounts: async (token) => isToken(token) && (await tokens.stillCounts(token)),
  find: (token) => {
    if (!isToken(token)) return undefined
    return tokens.read(token).then(
      (read) => {
        if (read.kind === 'claims') return callerOf(read.claims, settings)
        throw new Refusal('unauthorized', `This token is not valid: ${read.why}. Send a new token.`)
      },
      (error: unknown) => {
        throw isUnavailable(error) ? away(error) : error
      },
    )
  },
})
