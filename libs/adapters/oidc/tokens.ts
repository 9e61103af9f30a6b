import { createHash } from 'node:crypto'
import { errors, jwtVerify, type JWTPayload } from 'jose'
import { LRUCache } from 'lru-cache'
import { openKeySet } from './key-set'

/** Only asymmetric algorithms. With a shared secret, everyone who can verify a token could also forge one. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']
const clockToleranceSeconds = 30
const restMs = 30_000
const mostVerified = 20_000

export type TokenIssuer = { issuer: string; audience: string[] }
type ReadToken = { kind: 'claims'; claims: JWTPayload } | { kind: 'refused'; why: string }
export type Tokens = {
  read(token: string): Promise<ReadToken>
  /** Returns true if the token has not expired and its signing key still belongs to the issuer. */
  stillCounts(token: string): Promise<boolean>
}
type Verified = { keysVersion: number; expiresAt: number }

const why = (error: unknown): string => {
  if (error instanceof errors.JWTExpired) return 'it has expired'
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === 'aud') return 'it was issued for another audience'
    if (error.claim === 'iss') return 'another issuer issued it'
    return error.claim === 'nbf' ? 'it is not valid yet' : `its claim ${error.claim} is missing or wrong`
  }
  if (error instanceof errors.JOSEAlgNotAllowed) return 'its algorithm is not allowed'
  if (error instanceof errors.JWKSNoMatchingKey) return 'its key is unknown to its issuer'
  return 'its signature or format is wrong'
}

export const isToken = (text: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]*$/.test(text)

export const openTokens = ({ issuer, audience }: TokenIssuer, unknownKeyRestMs = restMs): Tokens => {
  const keySet = openKeySet(issuer, unknownKeyRestMs)
  const verified = new LRUCache<string, Verified>({ max: mostVerified })
  const read = async (token: string): Promise<ReadToken> => {
    try {
      const { payload } = await jwtVerify(token, keySet.find, {
        issuer,
        audience,
        algorithms,
        clockTolerance: clockToleranceSeconds,
        requiredClaims: ['exp', 'sub'],
      })
      return { kind: 'claims', claims: payload }
    } catch (error) {
      if (error instanceof errors.JOSEError) return { kind: 'refused', why: why(error) }
      throw error
    }
  }
  /** Verifies the signature again only if the issuer's keys were read again since the last verification. */
  const stillCounts = async (token: string): Promise<boolean> => {
    const id = createHash('sha256').update(token).digest('base64url')
    const keysVersion = await keySet.version()
    const known = verified.get(id)
    if (known?.keysVersion === keysVersion) return known.expiresAt > Date.now()
    const found = await read(token)
    if (found.kind === 'refused') return false
    const expiresAt = ((found.claims.exp ?? 0) + clockToleranceSeconds) * 1_000
    verified.set(id, { keysVersion, expiresAt })
    return true
  }
  return { read, stillCounts }
}
