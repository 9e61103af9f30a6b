import {
  diag,
  DiagLogLevel,
  type DiagLogger,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  createAlwaysRecordSampler,
  ParentBasedSampler,
  RandomIdGenerator,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Log } from '../log'
import { version } from '../version'
import { exportByOutcome } from './kept-traces'
import type { SpanDetails, Tracing } from './spans'
import type { Protocol, TracingEnv } from './tracing.env'

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
}

const batches = { scheduledDelayMillis: 1_000, maxQueueSize: 16_384, maxExportBatchSize: 1_024 }
const spanLimits = { attributeValueLengthLimit: 32_000, eventCountLimit: 64, linkCountLimit: 16 }

/** Generates the ids of spans. A caller can set the next id, because some ids are needed before their span starts. */
const idsOf = () => {
  const random = new RandomIdGenerator()
  let drawn: string | undefined
  return {
    next: (spanId: string | undefined) => void (drawn = spanId),
    generator: {
      generateTraceId: () => random.generateTraceId(),
      generateSpanId: () => {
        const spanId = drawn ?? random.generateSpanId()
        drawn = undefined
        return spanId
      },
    },
  }
}

const shortest = 300
const telling = (log: Pick<Log, 'warn'>): DiagLogger => {
  const warn = (said: string): void => log.warn({ said: said.slice(0, shortest) }, 'tracing error')
  return { error: warn, warn, info: () => undefined, debug: () => undefined, verbose: () => undefined }
}

const exporters = { 'http/json': JsonExporter, 'http/protobuf': ProtobufExporter } satisfies Record<Protocol, unknown>

type Options = {
  url: string
  protocol: Protocol
  env: TracingEnv
  app: string
  log: Pick<Log, 'warn'>
  onKept(traceId: string): void
}

const providerOf = ({ url, protocol, env, app }: Options, ids: ReturnType<typeof idsOf>) => {
  const exporter = new exporters[protocol]({
    url,
    headers: { ...env.OTEL_EXPORTER_OTLP_HEADERS, ...env.OTEL_EXPORTER_OTLP_TRACES_HEADERS },
  })
  const outcomes = exportByOutcome(new BatchSpanProcessor({ exporter, ...batches }))
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': `plumbline-${app}`,
      'service.namespace': 'plumbline',
      'service.version': version,
      'service.instance.id': `${app}.${ids.generator.generateSpanId()}`,
      ...env.OTEL_RESOURCE_ATTRIBUTES,
      ...(env.OTEL_SERVICE_NAME !== undefined && { 'service.name': env.OTEL_SERVICE_NAME }),
    }),
    idGenerator: ids.generator,
    sampler: createAlwaysRecordSampler(
      new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(env.OTEL_TRACES_SAMPLER_ARG) }),
    ),
    spanLimits,
    spanProcessors: [outcomes.processor],
  })
  return { provider, keep: outcomes.keep }
}

const parentContext = (parent: SpanContext | undefined) =>
  parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT

/** Starts the tracing SDK. Only this file imports the SDK. The file itself is loaded only if traces are sent. */
export const startSdk = (
  options: Options,
): { tracing: Tracing; keep(traceId: string): void; stop(): Promise<void> } => {
  const ids = idsOf()
  diag.setLogger(telling(options.log), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
  const { provider, keep } = providerOf(options, ids)
  const tracer = provider.getTracer('plumbline', version)
  return {
    tracing: {
      content: options.env.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT,
      start: (name, { kind, at, spanId, ...details }: SpanDetails, parent) => {
        ids.next(spanId)
        return tracer.startSpan(
          name,
          { ...details, ...(kind && { kind: kinds[kind] }), ...(at !== undefined && { startTime: at }) },
          parentContext(parent),
        )
      },
      newSpanId: () => ids.generator.generateSpanId(),
      keep: (traceId) => {
        if (keep(traceId)) options.onKept(traceId)
      },
    },
    keep: (traceId) => void keep(traceId),
    stop: async () => {
      await provider.shutdown().catch((error: unknown) => options.log.warn({ err: error }, 'last traces not exported'))
      diag.disable()
    },
  }
}
