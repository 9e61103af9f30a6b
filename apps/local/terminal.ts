import { styleText } from 'node:util'
import { clean } from '@plumbline/contracts'

/** An error that the user can fix. Only its message is shown, without a stack trace. */
export class Fault extends Error {
  override readonly name = 'Fault'
}

const levels: Record<number, string> = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' }
const plainFields = new Set(['level', 'time', 'app', 'msg', 'pid', 'hostname'])

type LogEntry = { level?: number; msg?: string; err?: { message?: string } } & Record<string, unknown>

const read = (line: string): LogEntry | null => {
  if (!line.startsWith('{')) return null
  try {
    return JSON.parse(line) as LogEntry
  } catch {
    return null
  }
}

export const logLine = (app: string, line: string): string => {
  const logged = read(line)
  const who = `[${app}]`.padEnd(13)
  if (!logged) return `${who}${clean(line)}`
  const rest = Object.entries(logged)
    .filter(([key]) => !plainFields.has(key))
    .map(
      ([key, value]) =>
        `${key}=${key === 'err' ? JSON.stringify(logged.err?.message ?? value) : JSON.stringify(value)}`,
    )
  const words = [`${who}${(levels[logged.level ?? 30] ?? 'info').padEnd(6)}${logged.msg ?? ''}`, ...rest].join(' ')
  return clean(words).trimEnd()
}

type Out = { isTTY?: boolean; write(text: string): unknown }

const seconds = (since: number): string => `${((Date.now() - since) / 1_000).toFixed(1)} s`

export const stepReporter = (out: Out, env: Record<string, string | undefined> = process.env) => {
  const living = Boolean(out.isTTY) && !env.CI && env.TERM !== 'dumb'
  return async <T>(
    doing: string,
    work: (tell: (detail: string) => void) => Promise<T>,
    done: (result: T) => string,
  ): Promise<T> => {
    const since = Date.now()
    let detail = ''
    const show = (): void =>
      void out.write(
        living ? `\r\x1b[2K  ${doing}${detail} … ${seconds(since)}` : `  ${doing}${detail} … ${seconds(since)}\n`,
      )
    if (living) show()
    const timer = setInterval(show, living ? 100 : 5_000)
    try {
      const result = await work((text) => void (detail = ` ${text}`))
      out.write(`${living ? '\r\x1b[2K' : ''}  ${done(result)} (${seconds(since)})\n`)
      return result
    } catch (error) {
      if (living) out.write('\r\x1b[2K')
      throw error
    } finally {
      clearInterval(timer)
    }
  }
}

export type ReadyFacts = { url: string; dataDir: string; uses: string[]; seconds: number; keys: boolean }

export const readyScreen = ({ url, dataDir, uses, seconds, keys }: ReadyFacts, coloured: boolean): string => {
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    coloured ? styleText(style, text, { validateStream: false }) : text
  // Commands find this gateway through its data folder. If it is not the default folder, they need DATA_DIR.
  const here = `${dataDir === '.data' ? '' : `DATA_DIR=${dataDir} `}${keys ? 'PLUMBLINE_KEY=<key> ' : ''}`
  const ask = `${here}npm run ask -- "How many moons did Saturn have in 2019 and in 2023?"`
  const auth = keys ? ` -H 'authorization: Bearer <key>'` : ''
  return [
    '',
    `  ${paint(['bold', 'green'], 'Plumbline is ready')} ${paint('dim', `after ${seconds.toFixed(1)} s`)}`,
    '',
    `    ${paint('cyan', url)}  ${paint('dim', 'open this page in a browser to ask questions and to review held answers')}`,
    `    ${paint('cyan', `${url}/docs`)}  ${paint('dim', 'description of the API')}`,
    '',
    `  ${paint('dim', 'Ask a question in a second terminal:')}`,
    '',
    `    ${ask}`,
    '',
    `    curl -s ${url}/v1/runs -H 'content-type: application/json' -H 'prefer: wait=10'${auth} \\`,
    `      -d '{"question": "How long does short-term memory last?"}'`,
    '',
    `  ${paint('dim', 'Add your own documents:')} ${here}npm run ingest -- <folder>`,
    '',
    `  ${paint('dim', 'Models and settings in use:')}`,
    '',
    ...uses.map((line) => `    ${line}`),
    '',
    `  ${paint('dim', `Data: ${dataDir} · Ctrl-C stops everything`)}`,
    '',
    '',
  ].join('\n')
}
