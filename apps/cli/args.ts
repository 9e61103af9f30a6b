import { type Option, readWords, type Refusal } from '@plumbline/commands/command.mjs'
import { ask } from '@plumbline/commands/rows/ask.mjs'
import { secretOf } from '@plumbline/platform/env'

export type Environment = Record<string, string | undefined>

/**
 * Returns the first of these addresses that is known: `--url`, PLUMBLINE_URL, this machine with PORT, the gateway of
 * this data folder (`own`), and this machine with port 3000.
 */
const addressOf = (given: string | undefined, env: Environment, own: string | null): string => {
  const port = env.PORT?.trim()
  return given ?? env.PLUMBLINE_URL ?? (port ? `http://127.0.0.1:${port}` : (own ?? 'http://127.0.0.1:3000'))
}

export const dataDirOf = (env: Environment): string => env.DATA_DIR?.trim() || '.data'

export const isAddress = (text: string): boolean => /^https?:$/.test(URL.parse(text)?.protocol ?? '')

export const fault = (message: string): Refusal => ({ kind: 'fault', message })

export type GatewayAddress = { url: string; key?: string }
type Given = { url?: string | undefined; key?: string | undefined }

export const gatewayOf = (given: Given, env: Environment, own: string | null): GatewayAddress => {
  const url = addressOf(given.url, env, own)
  if (!isAddress(url)) throw new Error(`"${url}" is not an address: write it as http://host:port.`)
  const key = given.key ?? secretOf(env, 'PLUMBLINE_KEY')
  return { url: url.replace(/\/+$/, ''), ...(key && { key }) }
}

type Words<O extends Record<string, Option>> = Exclude<ReturnType<typeof readWords<O>>, Refusal>

/** Parses the words after the name of a command. If they are wrong, returns a refusal with the message to print. */
export const readCommand = <O extends Record<string, Option>, Read>(
  command: Parameters<typeof readWords<O>>[0],
  words: string[],
  read: (given: Words<O>) => Read | Refusal,
): Read | Refusal => {
  try {
    const given = readWords(command, words)
    return given.kind === 'words' ? read(given) : given
  } catch (error) {
    return fault(error instanceof Error ? error.message : String(error))
  }
}

export type Options = GatewayAddress & {
  question: string
  trace: boolean
  json: boolean
  policy?: string
  collection?: string | string[]
  run?: string
}
type Command = { kind: 'ask'; options: Options } | Refusal

/** Parses the command line. Rejects unknown options, so that a mistyped option does not become part of the question. */
export const readArgs = (words: string[], env: Environment, own: string | null): Command =>
  readCommand(ask, words, ({ values, positionals }): Command => {
    const question = positionals.join(' ').trim()
    if (positionals.length > 0 && question === '')
      return fault('The question is empty. Pass a question, or omit the argument to start a conversation.')
    if (values.run !== undefined && question !== '')
      return fault('--run watches an existing run, so no question is possible. Omit the question or --run.')
    if (values.json && values.run === undefined && question === '')
      return fault('--json needs a question, or --run with the id of a run.')
    const { trace, json, policy, run } = values
    const [collection, ...others] = values.collection ?? []
    return {
      kind: 'ask',
      options: {
        question,
        trace,
        json,
        ...gatewayOf(values, env, own),
        ...(policy && { policy }),
        ...(collection && { collection: others.length > 0 ? [collection, ...others] : collection }),
        ...(run && { run }),
      },
    }
  })
