import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT, type JWTPayload } from 'jose'
import { openTokens } from '@plumbline/adapters/oidc/tokens'
import { Problem } from '@plumbline/contracts'
import { readGatewayEnv } from '@plumbline/gateway'
import { openHouse, type House } from './house.spec'

type Signer = { kid: string; alg: string; privateKey: CryptoKey; publicKey: CryptoKey }
const newSigner = async (kid: string, alg = 'RS256'): Promise<Signer> => ({
  kid,
  alg,
  ...(await generateKeyPair(alg, { extractable: true })),
})

/** Starts a token issuer that serves its discovery document and public keys. Specs may change its signers. */
const openIssuer = async () => {
  const signers = [await newSigner('one'), await newSigner('elliptic', 'ES256')]
  let reads = 0
  const answer = async (url: string): Promise<object | null> => {
    if (url === '/.well-known/openid-configuration') return { issuer: origin(), jwks_uri: `${origin()}/keys` }
    if (url !== '/keys') return null
    reads += 1
    return {
      keys: await Promise.all(
        signers.map(async ({ kid, alg, publicKey }) => ({ ...(await exportJWK(publicKey)), kid, alg, use: 'sig' })),
      ),
    }
  }
  const server: Server = createServer((request, response) => {
    void answer(request.url ?? '').then((found) => response.writeHead(found ? 200 : 404).end(JSON.stringify(found)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const origin = (): string => `http://127.0.0.1:${port}`
  const close = (): Promise<void> => {
    server.closeAllConnections()
    return new Promise((resolve) => void server.close(() => resolve()))
  }
  const open = (): Promise<void> => new Promise((resolve) => void server.listen(port, '127.0.0.1', resolve))
  return { issuer: origin(), signers, reads: () => reads, close, open }
}

const claims = { sub: 'rita', tenant: 'acme', roles: ['reviewer', 'asker'], access: ['staff'] }
type TokenOptions = {
  claims?: JWTPayload
  audience?: string
  issuer?: string
  expires?: string | number
  notBefore?: string
}

let issuer: Awaited<ReturnType<typeof openIssuer>>
let house: House
const sign = async (
  said: TokenOptions = {},
  { kid, alg, privateKey }: Omit<Signer, 'publicKey'> = issuer.signers[0]!,
): Promise<string> => {
  const token = new SignJWT(said.claims ?? claims)
    .setProtectedHeader({ alg, kid })
    .setIssuer(said.issuer ?? issuer.issuer)
    .setAudience(said.audience ?? 'plumbline')
    .setIssuedAt()
    .setExpirationTime(said.expires ?? '5m')
  if (said.notBefore) token.setNotBefore(said.notBefore)
  return token.sign(privateKey)
}
const me = async (token: string, url = house.url) => {
  const response = await fetch(`${url}/v1/me`, { headers: { authorization: `Bearer ${token}` } })
  const body: unknown = await response.json()
  return { status: response.status, body, detail: Problem.safeParse(body).data?.detail ?? '' }
}
const envOf = (more: Record<string, string> = {}) =>
  readGatewayEnv({ OIDC_ISSUER: issuer.issuer, OIDC_AUDIENCE: 'plumbline, other', ...more })
const openWith = async (more: Record<string, string>): Promise<House> => {
  const own = await openHouse({ oidc: envOf(more).oidc })
  onTestFinished(() => own.close())
  return own
}

beforeAll(async () => {
  issuer = await openIssuer()
  house = await openHouse({ oidc: envOf().oidc, apiKeys: 'fixed-admin:a:admin' })
})
afterAll(async () => {
  await house.close()
  await issuer.close()
})

describe('a token of the issuer', () => {
  it('counts beside keys, and says tenant, roles and tags', async () => {
    expect(await me(await sign())).toMatchObject({
      status: 200,
      body: { name: 'oidc:rita', tenant: 'acme', roles: ['reviewer', 'asker'], mode: 'keys' },
    })
    expect((await me(await sign({ audience: 'other' }, issuer.signers[1]))).status).toBe(200)
    expect((await me('fixed-admin')).status).toBe(200)
    // Tokens may be off by half a minute, because clocks differ.
    expect((await me(await sign({ expires: Math.floor(Date.now() / 1_000) - 10 }))).status).toBe(200)
    expect((await me(await sign({ notBefore: '10s' }))).status).toBe(200)
  })

  it('is refused for what is wrong with it, and told why', async () => {
    const { kid, publicKey } = issuer.signers[0]!
    const pem = new TextEncoder().encode(await exportSPKI(publicKey))
    const raw = new TextEncoder().encode((await exportJWK(publicKey)).n)
    const stranger = await newSigner(kid)
    const hs256 = (secret: Uint8Array) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', kid })
        .setIssuer(issuer.issuer)
        .setAudience('plumbline')
        .setExpirationTime('5m')
        .sign(secret)
    const none = new UnsecuredJWT(claims)
      .setIssuer(issuer.issuer)
      .setAudience('plumbline')
      .setExpirationTime('5m')
      .encode()
    const good = await sign()
    const [head, body, signature] = good.split('.')
    const other = Buffer.from(JSON.stringify({ ...claims, roles: ['admin'] })).toString('base64url')
    const cases: [string, string, RegExp][] = [
      ['expired', await sign({ expires: Math.floor(Date.now() / 1_000) - 120 }), /has expired/],
      ['of later', await sign({ notBefore: '2m' }), /is not valid yet/],
      ['for another audience', await sign({ audience: 'payroll' }), /another audience/],
      ['of another issuer', await sign({ issuer: 'https://evil.example' }), /another issuer/],
      ['signed by nobody', none, /algorithm|form is wrong/],
      ['signed with the public key as a secret', await hs256(pem), /algorithm/],
      ['signed with its modulus as a secret', await hs256(raw), /algorithm/],
      ['signed by a stranger under a known name', await sign({}, stranger), /signature/],
      ['with another body', `${head}.${other}.${signature}`, /signature/],
      ['without a signature', `${head}.${body}.`, /signature/],
      ['without a subject', await sign({ claims: { tenant: 'acme', roles: ['asker'] } }), /claim sub/],
    ]
    for (const [what, token, why] of cases) {
      const { status, detail } = await me(token)
      expect([what, status, detail]).toEqual([what, 401, expect.stringMatching(why)])
    }
  })

  it('that gives no tenant, no role or the operator’s is refused what it did not get', async () => {
    const refused = async (more: object) => me(await sign({ claims: { ...claims, ...more } }))
    expect(await refused({ tenant: undefined })).toMatchObject({
      status: 403,
      detail: expect.stringMatching(/no valid tenant/),
    })
    expect(await refused({ tenant: 'A B' })).toMatchObject({ status: 403 })
    expect(await refused({ roles: ['boss'] })).toMatchObject({ status: 403, detail: expect.stringMatching(/no role/) })
    expect(await refused({ roles: ['operator'] })).toMatchObject({ status: 403 })
    expect(await refused({ roles: 'asker operator' })).toMatchObject({ status: 200, body: { roles: ['asker'] } })
    expect(await refused({ sub: 'key-0123 as named by x' })).toMatchObject({
      body: { name: expect.stringMatching(/^oidc:[0-9a-f]{12}$/) },
    })
  })

  it('of an unknown key triggers a reload of the issuer’s keys, at most every half minute', async () => {
    const tokens = openTokens({ issuer: issuer.issuer, audience: ['plumbline'] }, 0)
    expect((await tokens.read(await sign())).kind).toBe('claims')
    const rotated = await newSigner('two')
    const token = await sign({}, rotated)
    expect(await tokens.read(token)).toEqual({ kind: 'refused', why: expect.stringMatching(/unknown to its issuer/) })
    issuer.signers.push(rotated)
    expect((await tokens.read(token)).kind).toBe('claims')
    const patient = openTokens({ issuer: issuer.issuer, audience: ['plumbline'] })
    await patient.read(await sign())
    const before = issuer.reads()
    const strange = await newSigner('three')
    for (let n = 0; n < 5; n += 1) expect((await patient.read(await sign({}, strange))).kind).toBe('refused')
    expect(issuer.reads()).toBe(before)
  })
})

describe('a stream that stays open with a token', () => {
  it('checks its time and its key, and verifies the signature again only after the keys were read again', async () => {
    const tokens = openTokens({ issuer: issuer.issuer, audience: ['plumbline'] }, 0)
    const leaving = await newSigner('leaving')
    issuer.signers.push(leaving)
    const [staying, gone] = [await sign(), await sign({}, leaving)]
    const short = await sign({ expires: Math.floor(Date.now() / 1_000) - 25 })
    for (const token of [staying, gone, short]) expect(await tokens.stillCounts(token)).toBe(true)

    const verify = vi.spyOn(crypto.subtle, 'verify')
    onTestFinished(() => verify.mockRestore())
    for (let n = 0; n < 20; n += 1) expect(await tokens.stillCounts(staying)).toBe(true)
    expect(verify).not.toHaveBeenCalled()
    await expect.poll(() => tokens.stillCounts(short)).toBe(false)
    expect(verify).not.toHaveBeenCalled()

    issuer.signers.splice(issuer.signers.indexOf(leaving), 1)
    await tokens.read(await sign({}, await newSigner('unknown')))
    expect([await tokens.stillCounts(staying), await tokens.stillCounts(gone)]).toEqual([true, false])
    expect(await tokens.stillCounts(`${staying.slice(0, -8)}AAAAAAAA`)).toBe(false)
  })
})

describe('while the issuer is away', () => {
  it('tokens of known keys stay valid, and others are not called wrong', async () => {
    const known = await openWith({})
    const tokens = openTokens({ issuer: issuer.issuer, audience: ['plumbline'] }, 0)
    await tokens.read(await sign())
    expect((await me(await sign(), known.url)).status).toBe(200)
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${await sign()}` }
    const asked = await fetch(`${known.url}/v1/runs`, { method: 'POST', headers, body: '{"question":"How?"}' })
    expect(asked.headers.get('ratelimit-policy')).toBe('"tenant";q=6000;w=60')
    const fresh = await openWith({})
    await issuer.close()
    expect((await me(await sign(), known.url)).status).toBe(200)
    const { status, detail } = await me(await sign(), fresh.url)
    expect([status, detail]).toEqual([503, expect.stringContaining('identity provider')])
    await expect(tokens.read(await sign({}, await newSigner('four')))).rejects.toMatchObject({ retry: 'later' })
    expect((await tokens.read(await sign())).kind).toBe('claims')
    await issuer.open()
  })
})

describe('the settings', () => {
  it('configure tenant, roles, tags and name, and the meaning of an issuer’s groups', async () => {
    const mapped = await openWith({
      OIDC_TENANT: 'acme',
      OIDC_ROLES_CLAIM: 'realm_access.roles',
      OIDC_ROLES: 'desk=reviewer+asker,ops=operator',
      OIDC_ACCESS_CLAIM: 'https://acme.example/tags',
      OIDC_NAME_CLAIM: 'email',
    })
    const token = await sign({
      claims: {
        sub: 'x',
        tenant: 'evil',
        email: 'rita@acme.example',
        realm_access: { roles: ['desk', 'ops', 'admin'] },
        'https://acme.example/tags': '*',
      },
    })
    expect((await me(token, mapped.url)).body).toMatchObject({
      name: 'oidc:rita@acme.example',
      tenant: 'acme',
      roles: ['reviewer', 'asker', 'operator'],
    })
  })

  it('that would let strangers in are refused', () => {
    expect(() => readGatewayEnv({ OIDC_ISSUER: 'https://id.example' })).toThrow(/OIDC_AUDIENCE is missing/)
    expect(() => readGatewayEnv({ OIDC_ISSUER: 'http://id.example', OIDC_AUDIENCE: 'x' })).toThrow(/use https/)
    expect(() => envOf({ OIDC_ROLES: 'desk=boss' })).toThrow(/OIDC_ROLES.*group=role/)
  })
})
