import { createLocalJWKSet, errors, type FlattenedJWSInput, type JWSHeaderParameters } from 'jose'
import { z } from 'zod'
import { AppError } from '@plumbline/platform'

const Discovered = z.object({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/ }) })
const KeySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) })

const withinMs = 3_000
const freshMs = 10 * 60_000
/** The last known keys of a token issuer stay valid for this time if the issuer does not respond. */
const lastingMs = 24 * 3_600_000

const readJson = async (url: string): Promise<unknown> => {
  const answer = await fetch(url, { signal: AbortSignal.timeout(withinMs), headers: { accept: 'application/json' } })
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`)
  return answer.json()
}

type Keys = { find: ReturnType<typeof createLocalJWKSet>; readAt: number }
const readKeys = async (issuer: string): Promise<Keys> => {
  const at = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const found = Discovered.parse(await readJson(at))
  if (found.issuer !== issuer) throw new Error(`${at} belongs to another issuer, ${found.issuer}`)
  const readAt = performance.now()
  return { find: createLocalJWKSet(KeySet.parse(await readJson(found.jwks_uri))), readAt }
}

/** If a token was signed with an unknown key, reads the issuer's keys again, at most once every `restMs` ms. */
export const openKeySet = (issuer: string, restMs: number) => {
  let keys: Keys | undefined
  let reading: Promise<void> | undefined
  let triedAt = -Infinity
  let failed: unknown

  const load = (): Promise<void> => {
    triedAt = performance.now()
    reading ??= readKeys(issuer)
      .then(
        (read) => {
          keys = read
          failed = undefined
        },
        (error: unknown) => void (failed = error),
      )
      .finally(() => (reading = undefined))
    return reading
  }
  const away = (): AppError => new AppError('oidc.unavailable', 'later', { cause: failed })
  const isOlder = (ms: number): boolean => !keys || performance.now() - keys.readAt > ms
  const isRested = (): boolean => performance.now() - triedAt >= restMs

  const current = async (): Promise<Keys> => {
    if (isOlder(freshMs) && (reading || isRested())) await load()
    if (!keys || isOlder(lastingMs)) throw away()
    return keys
  }
  const find = async (header: JWSHeaderParameters, token: FlattenedJWSInput) => {
    const keys = await current()
    try {
      return await keys.find(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      if (reading || isRested()) await load()
      // The keys could not be read, so the token may still be valid. The error is therefore temporary.
      if (failed !== undefined) throw away()
      return (await current()).find(header, token)
    }
  }
  return {
    find,
    /** The returned number changes with every successful read of the keys. */
    version: async (): Promise<number> => (await current()).readAt,
  }
}
