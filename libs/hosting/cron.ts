import { CronExpressionParser } from 'cron-parser'

/**
 * Returns the next time of a cron line, and throws if there is none. For `H` in the line, the parser chooses a value at
 * random. `hashSeed` makes it choose the same value every time.
 */
export const nextByCron = (cron: string, timeZone: string, after: number): number =>
  CronExpressionParser.parse(cron, { tz: timeZone, currentDate: new Date(after), hashSeed: cron })
    .next()
    .getTime()

export const cronFault = (cause: unknown): string =>
  `${cause instanceof Error ? cause.message : String(cause)}: write minute, hour, day, month and weekday, such as 0 6 * * 1-5`
