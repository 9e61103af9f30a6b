import { type DestinationStream, type Logger, pino } from 'pino'
import { scopeFields } from './trace-scope'

const perSecond = 10
const identicalTrouble = 3

type Window = { lines: number; second: number; cut: number }
export type Line = { pass: boolean; cut: number }

export const lineLimit = (now: () => number): ((text: string, trouble: boolean) => Line) => {
  const windows = new Map<string, Window>()
  const take = (key: string, limit: number, second: number): Line => {
    const window = windows.get(key)
    if (!window || window.second !== second) {
      windows.set(key, { lines: 1, second, cut: 0 })
      return { pass: true, cut: window?.cut ?? 0 }
    }
    if (window.lines >= limit) {
      window.cut += 1
      return { pass: false, cut: 0 }
    }
    window.lines += 1
    return { pass: true, cut: 0 }
  }
  return (text, trouble) => {
    const second = Math.floor(now() / 1_000)
    if (windows.size > 1_000) windows.clear()
    const own = take(text, trouble ? identicalTrouble : perSecond, second)
    if (!own.pass || !trouble) return own
    const all = take('\0trouble', perSecond, second)
    return { pass: all.pass, cut: own.cut + all.cut }
  }
}

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>
type Options = { app: string; level?: string; destination?: DestinationStream }

/** Ignores write errors, because the terminal or pipe may close before the process ends. */
const standardOutput = (): DestinationStream => pino.destination({ fd: 1, sync: true }).on('error', () => undefined)

/** Logs only the type, the message, the stack and the code of an error, because other fields may contain user data. */
const toldError = (error: unknown): unknown => {
  if (!(error instanceof Error)) return String(error)
  const { type, message, stack } = pino.stdSerializers.err(error)
  const each = error instanceof AggregateError ? { errors: error.errors.map(toldError) } : {}
  return { type, message, stack, ...('code' in error && { code: error.code }), ...each }
}

/** Creates a log that drops repeated lines and bursts of errors. The next line states how many lines were dropped. */
export const createLog = ({ app, level = 'info', destination }: Options): Log => {
  const limit = lineLimit(() => Date.now())
  return pino(
    {
      level,
      base: { app },
      mixin: scopeFields,
      serializers: { err: toldError },
      hooks: {
        logMethod(args, method, severity) {
          const text = args.find((arg): arg is string => typeof arg === 'string') ?? ''
          const line = limit(text, severity >= 40)
          if (line.pass) method.apply(this, line.cut > 0 ? withCut(args, line.cut) : args)
        },
      },
    },
    destination ?? standardOutput(),
  )
}

type Arguments = Parameters<Logger['info']>
const withCut = (args: Arguments, cut: number): Arguments => {
  const [first, ...rest]: unknown[] = args
  return (typeof first === 'object' ? [{ ...first, cut }, ...rest] : [{ cut }, ...args]) as unknown as Arguments
}

export const silent: Log = pino({ level: 'silent' })
