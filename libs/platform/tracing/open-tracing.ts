import type { Log } from '../log'
import { isTracing, useTracing } from './spans'
import { endpointOf, protocolOf, protocols, type TracingEnv } from './tracing.env'

export type KeptTraces = {
  tell(traceId: string): Promise<unknown>
  hear(onKept: (traceId: string) => void): Promise<() => Promise<void>>
}

let sharing: { by: KeptTraces | undefined; keep(traceId: string): void } | undefined

export const shareKeptTraces = async (by: KeptTraces): Promise<() => Promise<void>> => {
  const own = sharing
  if (!own || own.by) return () => Promise.resolve()
  own.by = by
  const leave = await by.hear((traceId) => own.keep(traceId))
  return async () => {
    own.by = undefined
    await leave()
  }
}

type Parts = { app: string; log: Pick<Log, 'warn' | 'debug'> }

export const openTracing = async (env: TracingEnv, { app, log }: Parts): Promise<() => Promise<void>> => {
  const url = endpointOf(env)
  if (url === undefined || isTracing()) return () => Promise.resolve()
  const chosen = protocolOf(env)
  if ('unsupported' in chosen) {
    log.warn({ protocol: chosen.unsupported, supported: protocols }, 'traces are off: protocol not supported')
    return () => Promise.resolve()
  }
  const { startSdk } = await import('./sdk')
  const tell = (traceId: string): void =>
    void sharing?.by
      ?.tell(traceId)
      .catch((error: unknown) => log.debug({ err: error }, 'stored trace not announced to other processes'))
  const { tracing, keep, stop } = startSdk({ url, protocol: chosen.protocol, env, app, log, onKept: tell })
  sharing = { by: undefined, keep }
  const leave = useTracing(tracing)
  return async () => {
    leave()
    sharing = undefined
    await stop()
  }
}
