import { describe, expect, it } from 'vitest'
import { readEnv } from '../env'
import { addToScope, currentOrigin, enterScope, inScope, scopeFields, traceIdOf } from '../trace-scope'
import { content, errorTypeOf, inSpan, tenantHash } from './spans'
import { readTraceparent, traceparentOf } from '../traceparent'
import { endpointOf, TracingEnv } from './tracing.env'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const spanId = 'b7ad6b7169203331'
const good = `00-${traceId}-${spanId}-01`

describe('a traceparent', () => {
  it.each([
    [good, 1],
    [`00-${traceId}-${spanId}-00`, 0],
    [`00-${traceId}-${spanId}-03`, 1],
    [`01-${traceId}-${spanId}-01`, 1],
    [`01-${traceId}-${spanId}-01-what.comes.later`, 1],
  ])('is read: %s', (text, traceFlags) =>
    expect(readTraceparent(text)).toEqual({ traceId, spanId, traceFlags, isRemote: true }),
  )

  it.each([
    undefined,
    [good, good],
    '',
    'x',
    good.toUpperCase(),
    `ff-${traceId}-${spanId}-01`,
    `00-${traceId}-${spanId}-01-more`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId}-${spanId}`,
    `00-${traceId}-${spanId}-0`,
    `01-${traceId}-${spanId}-01-${'x'.repeat(200)}`,
    ` ${good}`,
  ])('that is invalid is not read: %s', (text) => expect(readTraceparent(text)).toBeUndefined())

  it('is written as it was read', () => expect(traceparentOf(readTraceparent(good)!)).toBe(good))
})

describe('a scope', () => {
  const caller = readTraceparent(good)

  it('names what is under way in every line, and what is learned within it', async () => {
    expect(scopeFields()).toEqual({})
    const scope = { requestId: 'q', caller }
    const run = enterScope(scope, async () => {
      await Promise.resolve()
      addToScope({ runId: 'r1' })
      return inScope({ taskId: 't' }, () => scopeFields())
    })
    expect(await run).toEqual({ requestId: 'q', runId: 'r1', taskId: 't', traceId })
    expect(enterScope(scope, scopeFields)).toEqual({ requestId: 'q', runId: 'r1', traceId })
  })

  it('says where a run came from, as far as that is known', () => {
    expect(currentOrigin()).toBeUndefined()
    expect(inScope({}, currentOrigin)).toBeUndefined()
    expect(inScope({ requestId: 'q' }, currentOrigin)).toEqual({ requestId: 'q' })
    expect(inScope({ requestId: 'q', caller }, currentOrigin)).toEqual({ requestId: 'q', traceparent: good })
    expect(traceIdOf({ traceparent: good })).toBe(traceId)
    expect(traceIdOf({ requestId: 'q' })).toBeUndefined()
  })
})

describe('without tracing', () => {
  it('only runs the work, and computes no attributes', async () => {
    const never = (): never => {
      throw new Error('made for nothing')
    }
    expect(await inSpan('work', never, () => Promise.resolve(7))).toBe(7)
    expect(content(never)).toEqual({})
  })
})

it('an error is reported by its code or name, never by its message', () => {
  expect(errorTypeOf(Object.assign(new Error('secret'), { code: 'ENOENT' }))).toBe('ENOENT')
  expect(errorTypeOf(new TypeError('secret'))).toBe('TypeError')
  expect(errorTypeOf('secret')).toBe('unknown')
})

it('a tenant has one hash, which is not its name', () => {
  expect(tenantHash('acme')).toBe(tenantHash('acme'))
  expect(tenantHash('acme')).not.toBe(tenantHash('other'))
  expect(tenantHash('acme')).toMatch(/^[0-9a-f]{16}$/)
})

describe('the environment', () => {
  const read = (source: Record<string, string>) => readEnv(TracingEnv, source)

  it('names where traces go, or nothing', () => {
    expect(endpointOf(read({}))).toBeUndefined()
    expect(endpointOf(read({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://here:4318/' }))).toBe('http://here:4318/v1/traces')
    expect(endpointOf(read({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://here/x' }))).toBe('http://here/x')
    const off = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://here:4318', OTEL_SDK_DISABLED: 'true' }
    expect(endpointOf(read(off))).toBeUndefined()
  })

  it('gives headers as they are written for OpenTelemetry', () =>
    expect(
      read({ OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Basic%20YTpi=, x-v=4' }).OTEL_EXPORTER_OTLP_HEADERS,
    ).toEqual({
      Authorization: 'Basic YTpi=',
      'x-v': '4',
    }))

  it.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'here:4318' }, 'write it as http://host:4318'],
    [{ OTEL_EXPORTER_OTLP_HEADERS: 'a key' }, 'write it as name=value'],
    [{ OTEL_TRACES_SAMPLER_ARG: '10%' }, 'write a share from 0 to 1'],
    [{ OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'yes' }, 'use true or false'],
  ])('is refused in words where it cannot be: %j', (source: Record<string, string>, words) =>
    expect(() => read(source)).toThrow(words),
  )
})
