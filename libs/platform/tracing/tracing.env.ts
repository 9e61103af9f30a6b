import { z } from 'zod'
import { Flag } from '../env'
import { setting } from '../setting'

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

const wrongShare = 'write a share from 0 to 1'
const share = z.coerce.number(wrongShare).min(0, wrongShare).max(1, wrongShare)

export const TracingEnv = z.object({
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(url.optional(), {
    about: 'the receiver of traces; `/v1/traces` is appended',
  }),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: setting(url.optional(), { about: 'the same, but used unchanged' }),
  OTEL_EXPORTER_OTLP_HEADERS: setting(pairs, { about: 'headers to send, as `name=value,name=value`' }),
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: setting(pairs, { about: 'headers to add to them' }),
  // Any text is accepted, so that an unsupported protocol does not prevent the app from starting.
  OTEL_EXPORTER_OTLP_PROTOCOL: setting(z.string().optional(), {
    about: '`http/json` or `http/protobuf`. With any other value, no traces are sent, and the log has a warning',
    default: '`http/json`',
  }),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: setting(z.string().optional(), { about: 'the same; this one takes precedence' }),
  OTEL_SDK_DISABLED: setting(Flag.default(false), {
    about: '`true`: tracing is off, regardless of all other settings',
  }),
  OTEL_SERVICE_NAME: setting(z.string().optional(), {
    about: 'the name of the service in traces',
    default: '`plumbline-gateway`, `plumbline-router` …',
  }),
  OTEL_RESOURCE_ATTRIBUTES: setting(pairs, {
    about: 'further attributes of the deployment, such as `deployment.environment.name=production`',
  }),
  OTEL_TRACES_SAMPLER_ARG: setting(share.default(1), {
    about: 'the share of traces to send, from 0 to 1 ([which ones](run/tracing.md#which-traces-are-sent))',
  }),
  OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: setting(Flag.default(false), {
    about: '`true`: spans also contain texts, including held drafts and passages with access tags',
  }),
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
