import { HttpException } from '@nestjs/common'
import { describe, expect, it } from 'vitest'
import { KeyRole } from '@plumbline/contracts'
import { AppError } from '@plumbline/platform'
import type { Caller, Role } from './authenticate'
import { hasRole, readsContent } from './caller'
import { waitSeconds } from './request-values'
import { contentHash, newId } from './request-values'
import { Refusal } from './problem'
import { refusalOf } from './problem'

describe('an error becomes a problem', () => {
  it.each([
    ['the store says later', new AppError('store.unavailable', 'later'), 503, 2],
    ['a connection that is closed', new Error('Connection is closed.'), 503, 2],
    [
      'an index that took too long',
      new DOMException('The operation was aborted due to timeout', 'TimeoutError'),
      503,
      2,
    ],
    [
      'a disk that is full',
      Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }),
      503,
      2,
    ],
    ['no connection', new AggregateError([new Error('connect ECONNREFUSED 127.0.0.1:1')]), 503, 2],
    ['a full Redis', new Error("OOM command not allowed when used memory > 'maxmemory'."), 503, 2],
    ['a cause inside', new Error('add failed', { cause: new Error('Command timed out') }), 503, 2],
    ['the store says never', new AppError('store.failed', 'never'), 500, undefined],
    ['a fault of ours', new TypeError('x is not a function'), 500, undefined],
    [
      'Fastify says too large',
      Object.assign(new Error('Request body is too large'), { statusCode: 413 }),
      413,
      undefined,
    ],
    ['Nest says unknown', new HttpException('Cannot GET /x', 404), 404, undefined],
    ['another 4xx', new HttpException('teapot', 418), 400, undefined],
  ])('%s', (_, error, status, retryAfter) => {
    expect(refusalOf(error)).toMatchObject({ problem: { status }, retryAfter })
  })

  it('and reveals no internals', () => {
    const { problem } = refusalOf(new Error('secret of the house'))
    expect(JSON.stringify(problem)).not.toContain('secret')
  })

  it('a refusal stays what it is', () => {
    const refusal = new Refusal('run-ended', 'It is over.')
    expect(refusalOf(refusal)).toBe(refusal)
  })
})

describe('an id', () => {
  it('follows from tenant and key, and is random without one', () => {
    expect(newId('r', 'a', 'k')).toBe(newId('r', 'a', 'k'))
    const all = [
      newId('r', 'a', 'k'),
      newId('r', 'b', 'k'),
      newId('r', 'a', 'l'),
      newId('d', 'a', 'k'),
      newId('r', 'a', undefined),
      newId('r', 'a', undefined),
    ]
    expect(new Set(all).size).toBe(all.length)
    for (const id of all) expect(id).toMatch(/^[rd][0-9a-z]{24}$/)
  })

  it('of two bodies is equal for equal content', () => {
    expect(contentHash({ a: 1, b: { c: [1, 2], d: 2 } })).toBe(contentHash({ b: { d: 2, c: [1, 2] }, a: 1 }))
    expect(contentHash({ a: [1, 2] })).not.toBe(contentHash({ a: [2, 1] }))
    expect(contentHash({ a: 1 })).not.toBe(contentHash({ a: '1' }))
  })
})

describe('Prefer', () => {
  it.each([
    ['wait=5', 5],
    ['respond-async, wait=10', 10],
    ['Wait = "3"', 3],
    ['wait=99999', 60],
    ['wait=-1', 0],
    ['wait', 0],
    ['await=7', 0],
    [undefined, 0],
  ])('%s is %s s', (prefer, seconds) => {
    expect(waitSeconds(prefer)).toBe(seconds)
  })
})

describe('the roles of a caller', () => {
  const caller = (role: Role) => ({ tenant: 'a', name: 'k', roles: new Set([role]), access: 'all' as const })

  it('grant nothing if no role is asked for', () => {
    const asksForNone = hasRole as (caller: Caller) => boolean
    expect(KeyRole.options.filter((role) => asksForNone(caller(role)))).toEqual([])
  })

  it('read content as asker, reviewer or admin', () =>
    expect(KeyRole.options.filter((role) => readsContent(caller(role)))).toEqual(['asker', 'reviewer', 'admin']))
})
