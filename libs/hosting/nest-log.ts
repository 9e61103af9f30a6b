import type { LoggerService } from '@nestjs/common'
import type { Log } from '@plumbline/platform'

const words = (message: unknown): string => (message instanceof Error ? message.message : String(message))

/** Nest's own lines go where all lines go; what it says of its start is of interest only when it fails. */
export const nestLog = (log: Log): LoggerService => ({
  log: (message: unknown) => log.debug(words(message)),
  debug: (message: unknown) => log.debug(words(message)),
  verbose: (message: unknown) => log.debug(words(message)),
  warn: (message: unknown) => log.warn(words(message)),
  error: (message: unknown, ...rest: unknown[]) =>
    log.error({ err: message instanceof Error ? message : rest[0] }, words(message)),
  fatal: (message: unknown) => log.error(words(message)),
})
