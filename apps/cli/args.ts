import { parseArgs } from 'node:util'
import { secretOf } from '@plumbline/platform/env'

export type Environment = Record<string, string | undefined>

/** The command line, the environment, or the gateway that runs from this folder, in this order. */
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
export type Command = { kind: 'ask'; options: Options } | { kind: 'help' } | { kind: 'fault'; message: string }

export const help = `Ask your documents.

  npm run ask -- "Which planet has the moon Titan?"    ask one question
  npm run ask                                          start a conversation; /help lists its commands

  --trace               print one line per decision: queries, grades, claims and reasons
  --json                print only the run view, as one JSON object, on standard output. You are not
                        asked to decide a parked run. Use npm run -s ask, because npm prints a line too
  --collection <name>   search only this collection; repeat the option for several collections
  --policy <name>       use this policy
  --run <id>            watch a run, or decide a parked run
  --url <address>       the gateway (default: PLUMBLINE_URL, then PORT, then the gateway
                        that was started from this folder, then http://127.0.0.1:3000)
  --key <key>           an API key (default: PLUMBLINE_KEY, or the content of the file
                        that PLUMBLINE_KEY_FILE names)
  --help, -h            show this help

The result is printed on standard output, and the progress on standard error.
Checked parts of an answer are printed as they arrive, and each part is printed once.

Ends with 0: the question was answered; 1: the run failed, or the gateway did not answer or refused the request;
2: the command is invalid; 3: the run stays parked; 4: the run ended without an answer (nothing was found, the
question is out of scope, or a clarifying question was asked); 130: the run was cancelled.`

const options = {
  trace: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  policy: { type: 'string' },
  collection: { type: 'string', multiple: true },
  run: { type: 'string' },
  url: { type: 'string' },
  key: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const

/** An unknown option is an error and not part of the question, because npm passes on everything after `--`. */
export const readArgs = (argv: string[], env: Environment, own: string | null): Command => {
  const words = argv[0] === 'ask' ? argv.slice(1) : argv
  try {
    const { values, positionals } = parseArgs({ args: words, options, allowPositionals: true })
    if (values.help) return { kind: 'help' }
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
    return { kind: 'fault', message: `${error instanceof Error ? error.message : String(error)}\n\n${help}` }
  }
}
