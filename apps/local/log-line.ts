const levels: Record<number, string> = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' }
const kept = new Set(['level', 'time', 'app', 'msg', 'pid', 'hostname'])

type Logged = { level?: number; msg?: string; err?: { message?: string } } & Record<string, unknown>

const read = (line: string): Logged | null => {
  if (!line.startsWith('{')) return null
  try {
    return JSON.parse(line) as Logged
  } catch {
    return null
  }
}

/** One line of an app's log as a person reads it beside the lines of the others. */
export const logLine = (app: string, line: string): string => {
  const logged = read(line)
  const who = `[${app}]`.padEnd(13)
  if (!logged) return `${who}${line}`
  const rest = Object.entries(logged)
    .filter(([key]) => !kept.has(key))
    .map(
      ([key, value]) =>
        `${key}=${key === 'err' ? JSON.stringify(logged.err?.message ?? value) : JSON.stringify(value)}`,
    )
  return [`${who}${(levels[logged.level ?? 30] ?? 'info').padEnd(6)}${logged.msg ?? ''}`, ...rest].join(' ').trimEnd()
}
