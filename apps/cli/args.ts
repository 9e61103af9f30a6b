import { parseArgs } from 'node:util'
import { secretOf } from '@plumbline/platform/env'

export type Environment = Record<string, string | undefined>

/**
 * Returns the URL of the gateway. It comes from the command line, the environment, or the gateway that runs from this
 * folder, in this order.
 */
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
  collection?: string
  url: string
  key?: string
  run?: string
}
export type Command = { kind: 'ask'; options: Options } | { kind: 'help' } | { kind: 'fault'; message: string }

export const help = `Ask your documents.

  npm run ask -- "Which planet has the moon Titan?"    one question
  npm run ask                                          a conversation; /help in it says more

  --trace               one line per decision: queries, grades, claims and reasons
  --json                the run view as one JSON object on standard output, and nothing else there;
                        a parked run is not decided about (npm itself writes there: npm run -s ask)
  --collection <name>   ask this collection only
  --policy <name>       run under this policy
  --run <id>            go on watching a run, or decide about a parked one
  --url <address>       the gateway (default: PLUMBLINE_URL, PORT, the one that
                        runs from this folder, http://127.0.0.1:3000)
  --key <key>           an API key (or PLUMBLINE_KEY, or PLUMBLINE_KEY_FILE:
                        a file that holds it)
  --help, -h            this

The result goes to standard output, what happens on the way to standard error.
Checked parts of an answer are printed as they arrive, and each part is printed once.

Ends with 0: answered; 1: the run failed, or the gateway did not answer or refused; 2: the command could not be
understood; 3: the run stays parked; 4: it ended without an answer (nothing found, out of scope, or a question
back); 130: it was cancelled.`

const options = {
  trace: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  policy: { type: 'string' },
  collection: { type: 'string' },
  run: { type: 'string' },
  url: { type: 'string' },
  key: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const

/**
 * Parses the arguments of `ask`. An unknown option is an error and not part of the question, because npm passes on
 * everything after `--`.
 */
export const readArgs = (argv: string[], env: Environment, own: string | null): Command => {
  const words = argv[0] === 'ask' ? argv.slice(1) : argv
  try {
    const { values, positionals } = parseArgs({ args: words, options, allowPositionals: true })
    if (values.help) return { kind: 'help' }
    const url = addressOf(values.url, env, own)
    if (!isAddress(url)) return { kind: 'fault', message: `"${url}" is not an address: write it as http://host:port.` }
    const question = positionals.join(' ').trim()
    if (positionals.length > 0 && question === '')
      return { kind: 'fault', message: 'The question is empty: write a question, or leave it out for a conversation.' }
    if (values.run !== undefined && question !== '')
      return { kind: 'fault', message: '--run watches a run there is; leave the question out.' }
    if (values.json && values.run === undefined && question === '')
      return { kind: 'fault', message: '--json needs a question, or --run with the run to watch.' }
    const { trace, json, policy, collection, run } = values
    const key = values.key ?? secretOf(env, 'PLUMBLINE_KEY')
    return {
      kind: 'ask',
      options: {
        question,
        trace,
        json,
        url: url.replace(/\/+$/, ''),
        ...(policy && { policy }),
        ...(collection && { collection }),
        ...(run && { run }),
        ...(key && { key }),
      },
    }
  } catch (error) {
    return { kind: 'fault', message: `${error instanceof Error ? error.message : String(error)}\n\n${help}` }
  }
}
