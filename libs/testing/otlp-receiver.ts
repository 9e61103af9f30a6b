import { createServer, type IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { onLoopback } from './loopback'

const AnyValue = z.object({
  stringValue: z.string().optional(),
  intValue: z.union([z.number(), z.string()]).optional(),
  doubleValue: z.number().optional(),
  boolValue: z.boolean().optional(),
  arrayValue: z.object({ values: z.array(z.object({ stringValue: z.string() })) }).optional(),
})
const attributes = z
  .array(z.object({ key: z.string(), value: AnyValue }))
  .default([])
  .transform((all) => Object.fromEntries(all.map(({ key, value }) => [key, valueOf(value)])))
const valueOf = ({ stringValue, intValue, doubleValue, boolValue, arrayValue }: z.infer<typeof AnyValue>) =>
  stringValue ??
  (intValue === undefined ? undefined : Number(intValue)) ??
  doubleValue ??
  boolValue ??
  arrayValue?.values.map((each) => each.stringValue)

const nanos = z.string().transform((text) => Number(text) / 1e6)
const SpanSent = z.object({
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  spanId: z.string().regex(/^[0-9a-f]{16}$/),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  startTimeUnixNano: nanos,
  endTimeUnixNano: nanos,
  attributes,
  events: z.array(z.object({ name: z.string(), attributes })).default([]),
  links: z.array(z.object({ traceId: z.string(), spanId: z.string(), attributes })).default([]),
  status: z.object({ code: z.number().optional(), message: z.string().optional() }),
})
const Request = z.object({
  resourceSpans: z.array(
    z.object({ resource: z.object({ attributes }), scopeSpans: z.array(z.object({ spans: z.array(SpanSent) })) }),
  ),
})

/** A span that the receiver got. Its times are in ms. */
export type ReceivedSpan = z.infer<typeof SpanSent> & { resource: Record<string, unknown> }

export type OtlpReceiver = {
  /** The value for OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string
  readonly spans: ReceivedSpan[]
  readonly headers: IncomingHttpHeaders[]
  readonly bodies: string[]
  close(): Promise<void>
}

/** Starts a receiver of traces. It accepts OTLP only as JSON over HTTP. */
export const startOtlpReceiver = async (): Promise<OtlpReceiver> => {
  const spans: ReceivedSpan[] = []
  const headers: IncomingHttpHeaders[] = []
  const bodies: string[] = []
  const server = createServer((request, response) => {
    const receive = async (): Promise<void> => {
      const body = await text(request)
      const { resourceSpans } = Request.parse(JSON.parse(body))
      headers.push(request.headers)
      bodies.push(body)
      for (const { resource, scopeSpans } of resourceSpans)
        for (const each of scopeSpans)
          spans.push(...each.spans.map((span) => ({ ...span, resource: resource.attributes })))
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    }
    if (request.method !== 'POST' || request.url !== '/v1/traces') return void response.writeHead(404).end()
    receive().catch((error: unknown) => response.writeHead(400).end(String(error)))
  })
  const { url, close } = await onLoopback(server)
  return { url, spans, headers, bodies, close }
}
