import { z } from 'zod'

const pairs = z
  .string()
  .default('')
  .transform((text, ctx) => {
    const read = text
      .split(',')
      .filter((pair) => pair.trim() !== '')
      .map((pair) => /^\s*([^=\s]+)\s*=(.*)$/.exec(pair))
    if (read.every((pair) => pair !== null))
      return Object.fromEntries(read.map((pair) => [pair?.[1] ?? '', decoded(pair?.[2]?.trim() ?? '')]))
    ctx.addIssue({ code: 'custom', message: 'write it as name=value,name=value' })
    return z.NEVER
  })
const decoded = (value: string): string => {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

const url = z.url({ protocol: /^https?$/, error: 'write it as http://host:4318' })
const flag = z.enum(['true', 'false'], { error: 'use true or false' }).transform((word) => word === 'true')

export const TracingEnv = z.object({
  OTEL_EXPORTER_OTLP_ENDPOINT: url.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: pairs,
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: pairs,
  /** Any text is accepted here, so that an unsupported protocol does not prevent the app from starting. */
  OTEL_EXPORTER_OTLP_PROTOCOL: z.string().optional(),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: z.string().optional(),
  OTEL_SDK_DISABLED: flag.default(false),
  OTEL_SERVICE_NAME: z.string().optional(),
  OTEL_RESOURCE_ATTRIBUTES: pairs,
  /** The share of traces that is exported. The traces of held and failed runs are always exported. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number('write a share from 0 to 1')
    .min(0, 'write a share from 0 to 1')
    .max(1, 'write a share from 0 to 1')
    .default(1),
  OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: flag.default(false),
})
export type TracingEnv = z.infer<typeof TracingEnv>

export const endpointOf = (env: TracingEnv): string | undefined => {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own, OTEL_SDK_DISABLED: off } = env
  if (off) return undefined
  return own ?? (base === undefined ? undefined : `${base.replace(/\/+$/, '')}/v1/traces`)
}

export const protocols = ['http/json', 'http/protobuf'] as const
export type Protocol = (typeof protocols)[number]

export const protocolOf = (env: TracingEnv): { protocol: Protocol } | { unsupported: string } => {
  const word = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? env.OTEL_EXPORTER_OTLP_PROTOCOL ?? 'http/json'
  const protocol = protocols.find((one) => one === word)
  return protocol === undefined ? { unsupported: word } : { protocol }
}
