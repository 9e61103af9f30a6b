import { readWords, type Refusal } from '@plumbline/commands/command.mjs'
import { ask } from '@plumbline/commands/rows/ask.mjs'
import { secretOf } from '@plumbline/platform/env'

export type Environment = Record<string, string | undefined>

/** Returns the gateway's URL: from the command line, the environment, or the gateway that uses this data folder. */
export const addressOf = (given: string | undefined, env: Environment, own: string | null): string => {
  const port = env.PORT?.trim()
  return given ?? env.PLUMBLINE_URL ?? (port ? `http://127.0.0.1:${port}` : (own ?? 'http://127.0.0.1:3000'))
}

export const dataDirOf = (env: Environment): string => env.DATA_DIR?.trim() || '.data'

export const isAddress = (text: string): boolean => /^https?:$/.test(URL.parse(text)?.protocol ?? '')

export type Options = {
  question: string
  trace: boolean
  json: boolean
  policy?: string
  collection?: string | string[]
  url: string
  key?: string
  run?: string
}
type Command = { kind: 'ask'; options: Options } | Refusal

/**
 * Parses the command line. An unknown option is an error and not part of the question, because npm passes on everything
 * after `--`.
 */
export const readArgs = (words: string[], env: Environment, own: string | null): Command => {
  try {
    const read = readWords(ask, words)
    if (read.kind !== 'words') return read
    const { values, positionals } = read
    const url = addressOf(values.url, env, own)
    if (!isAddress(url)) return { kind: 'fault', message: `"${url}" is not an address: write it as http://host:port.` }
    const question = positionals.join(' ').trim()
    if (positionals.length > 0 && question === '')
      return {
        kind: 'fault',
        message: 'The question is empty. Pass a question, or omit the argument to start a conversation.',
      }
    if (values.run !== undefined && question !== '')
      return {
        kind: 'fault',
        message: '--run watches an existing run, so no question is possible. Omit the question or --run.',
      }
    if (values.json && values.run === undefined && question === '')
      return { kind: 'fault', message: '--json needs a question, or --run with the id of a run.' }
    const { trace, json, policy, run } = values
    const [collection, ...others] = values.collection ?? []
    const key = values.key ?? secretOf(env, 'PLUMBLINE_KEY')
    return {
      kind: 'ask',
      options: {
        question,
        trace,
        json,
        url: url.replace(/\/+$/, ''),
        ...(policy && { policy }),
        ...(collection && { collection: others.length > 0 ? [collection, ...others] : collection }),
        ...(run && { run }),
        ...(key && { key }),
      },
    }
  } catch (error) {
    return { kind: 'fault', message: error instanceof Error ? error.message : String(error) }
  }
}
