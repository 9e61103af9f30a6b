import { describe, expect, it } from 'vitest'
import { retryAfter } from './response'

const now = Date.UTC(2026, 0, 1, 12)
const of = (headers: Record<string, string>): number | undefined => retryAfter(new Headers(headers), now)

describe('Retry-After', () => {
  it('is a number of seconds', () => expect(of({ 'retry-after': ' 30 ' })).toBe(now + 30_000))
  it('may be a fraction', () => expect(of({ 'retry-after': '0.25' })).toBe(now + 250))
  it('is an HTTP date', () => expect(of({ 'retry-after': 'Thu, 01 Jan 2026 12:00:05 GMT' })).toBe(now + 5_000))
  it('is read in milliseconds if the provider sends them', () =>
    expect(of({ 'retry-after-ms': '1200', 'retry-after': '2' })).toBe(now + 1_200))
  it.each(['', 'soon', '-5', '1e9999x'])('with an invalid value is ignored: "%s"', (value) =>
    expect(of({ 'retry-after': value })).toBeUndefined(),
  )
  it('may be absent', () => expect(of({})).toBeUndefined())
})
