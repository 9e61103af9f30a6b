import { pino, type DestinationStream, type Logger } from 'pino'
import { lineLimit } from './line-limit'

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>
type Options = { app: string; level?: string; destination?: DestinationStream }

/** One JSON line per event; identical lines and bursts of trouble are cut, and what was cut is counted on the next line. */
export const createLog = ({ app, level = 'info', destination }: Options): Log => {
  const limit = lineLimit(() => Date.now())
  return pino(
    {
      level,
      base: { app },
      hooks: {
        logMethod(args, method, severity) {
          const text = args.find((arg): arg is string => typeof arg === 'string') ?? ''
          const line = limit(text, severity >= 40)
          if (line.pass) method.apply(this, line.cut > 0 ? withCut(args, line.cut) : args)
        },
      },
    },
    destination ?? pino.destination({ fd: 1, sync: true }),
  )
}

type Arguments = Parameters<Logger['info']>
const withCut = (args: Arguments, cut: number): Arguments => {
  const [first, ...rest]: unknown[] = args
  return (typeof first === 'object' ? [{ ...first, cut }, ...rest] : [{ cut }, ...args]) as unknown as Arguments
}

export const silent: Log = pino({ level: 'silent' })
