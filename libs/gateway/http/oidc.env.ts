import { z } from 'zod'
import { KeyRole, name } from '@plumbline/contracts'
import { EnvError, list } from '@plumbline/platform/env'
import { setting } from '@plumbline/platform/setting'

const pairs = z.string().transform((text, ctx) => {
  const read = list(text).map((pair) => /^([^=]+)=([a-z+-]+)$/.exec(pair))
  const roles = read.map((pair) => z.array(KeyRole).safeParse(pair?.[2]?.split('+')))
  if (roles.every(({ success }) => success))
    return new Map(read.map((pair, at) => [pair?.[1] ?? '', roles[at]?.data ?? []]))
  ctx.addIssue({
    code: 'custom',
    message: `write it as group=role+role,group=role; the roles are ${KeyRole.options.join(', ')}`,
  })
  return z.NEVER
})

const Issuer = z.url({
  protocol: /^https?$/,
  error: 'write the issuer exactly as in the `iss` claim of its tokens, such as https://id.example.org/realm',
})

export const OidcEnv = z.object({
  OIDC_ISSUER: setting(Issuer.optional(), {
    about: 'the `iss` of the tokens; https, except on a loopback address',
    example: 'https://id.example.org',
  }),
  OIDC_AUDIENCE: setting(z.string().transform(list).optional(), {
    about: 'the `aud` of the tokens, several separated by commas; required',
    example: 'plumbline',
  }),
  OIDC_TENANT_CLAIM: setting(z.string().default('tenant'), {
    about: 'the claim that names the tenant',
    example: 'tenant',
  }),
  OIDC_TENANT: setting(name.optional(), {
    about: 'every token belongs to this tenant, regardless of its claims',
    example: 'default',
  }),
  OIDC_ROLES_CLAIM: setting(z.string().default('roles'), {
    about: 'the claim with roles or groups: a list, or words separated by spaces or commas',
    example: 'roles',
  }),
  OIDC_ROLES: setting(pairs.optional(), {
    about:
      'maps the words of that claim to roles: `desk=reviewer+asker,platform=operator`. Without this setting, the words are roles themselves, but never `operator`',
    example: 'staff=asker',
  }),
  OIDC_ACCESS_CLAIM: setting(z.string().default('access'), {
    about: 'the claim with access tags; `*` for all',
    example: 'access',
  }),
  OIDC_NAME_CLAIM: setting(z.string().default('sub'), {
    about:
      'the claim that names a person, as `oidc:rita@acme.example`; a value with characters other than letters, digits and `. @ + - _` becomes a hash',
    example: 'sub',
  }),
})
type OidcEnv = z.infer<typeof OidcEnv>

export type OidcSettings = Omit<OidcEnv, 'OIDC_ISSUER' | 'OIDC_AUDIENCE'> & { issuer: string; audience: string[] }

/** Throws if the audience is missing, because tokens for other services would then be accepted. */
export const oidcOf = ({
  OIDC_ISSUER: issuer,
  OIDC_AUDIENCE: audience = [],
  ...mapped
}: OidcEnv): OidcSettings | null => {
  if (issuer === undefined) return null
  if (audience.length === 0)
    throw new EnvError('OIDC_AUDIENCE is missing: set it to the `aud` value of the tokens that OIDC_ISSUER issues')
  if (!issuer.startsWith('https:') && !/^http:\/\/(127\.0\.0\.1|localhost|\[::1\])[:/]/.test(`${issuer}/`))
    throw new EnvError('OIDC_ISSUER uses http, so its keys could be changed in transit: use https')
  return { ...mapped, issuer, audience }
}
