import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readEnv } from '../env'
import { openTracing } from './open-tracing'
import { isTracing, startSpan } from './spans'
import { TracingEnv } from './tracing.env'

type Received = { type: string | undefined; body: Buffer }
let url: string
const received: Received[] = []
const server = createServer((request, response) => {
  void buffer(request).then((body) => {
    received.push({ type: request.headers['content-type'], body })
    response.writeHead(200).end()
  })
})
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
})
afterAll(() => void server.close())

/** Returns the byte fields of a protobuf message by number, enough to find a span. */
const fieldsOf = (message: Buffer): Map<number, Buffer[]> => {
  const fields = new Map<number, Buffer[]>()
  let at = 0
  const varint = (): number => {
    let [value, factor] = [0, 1]
    for (;;) {
      const byte = message[at++] ?? 0
      value += (byte & 0x7f) * factor
      if (byte < 0x80) return value
      factor *= 128
    }
  }
  while (at < message.length) {
    const key = varint()
    const [number, wire] = [Math.floor(key / 8), key % 8]
    if (wire === 0) varint()
    else if (wire === 2) {
      const length = varint()
      fields.set(number, [...(fields.get(number) ?? []), message.subarray(at, (at += length))])
    } else at += wire === 1 ? 8 : 4
  }
  return fields
}
const inside = (message: Buffer, ...path: number[]): Buffer | undefined =>
  path.reduce<Buffer | undefined>((part, field) => part && fieldsOf(part).get(field)?.[0], message)

const trace = async (
  env: Record<string, string>,
): Promise<{ sent: Received[]; warned: unknown[][]; traced: boolean }> => {
  const warned: unknown[][] = []
  const log = { warn: (...said: unknown[]) => void warned.push(said), debug: () => undefined }
  const before = received.length
  const stop = await openTracing(readEnv(TracingEnv, { OTEL_EXPORTER_OTLP_ENDPOINT: url, ...env }), {
    app: 'spec',
    log,
  })
  const traced = isTracing()
  startSpan('a span of the spec', undefined, {})?.end()
  await stop()
  return { sent: received.slice(before), warned, traced }
}

describe('traces are sent', () => {
  it.each([
    { OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' },
    { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/protobuf' },
  ])('as protobuf with %j', async (env) => {
    const { sent, warned } = await trace(env as Record<string, string>)
    expect(warned).toEqual([])
    expect(sent.map(({ type }) => type)).toEqual(['application/x-protobuf'])
    // The field numbers of resource spans, scope spans, span and name in the definition of OTLP.
    expect(inside(sent[0]?.body ?? Buffer.alloc(0), 1, 2, 2, 5)?.toString()).toBe('a span of the spec')
  })

  it.each<Record<string, string>>([{}, { OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' }])(
    'as JSON with %j',
    async (env) => {
      const { sent } = await trace(env)
      expect(sent.map(({ type }) => type)).toEqual(['application/json'])
      expect(sent[0]?.body.toString()).toContain('a span of the spec')
    },
  )
})

it.each(['grpc', 'carrier-pigeon'])(
  'the app starts without traces and warns where the protocol is %s',
  async (protocol) => {
    const { sent, warned, traced } = await trace({ OTEL_EXPORTER_OTLP_PROTOCOL: protocol })
    expect({ sent, traced }).toEqual({ sent: [], traced: false })
    expect(warned).toEqual([
      [{ protocol, supported: ['http/json', 'http/protobuf'] }, 'traces are off: protocol not supported'],
    ])
  },
)
