import { parseArgs } from 'node:util'
import { secretOf } from '@plumbline/platform/env'
import { addressOf, isAddress, type Environment } from '../args'

export type BatchOptions = { url: string; key?: string } & (
  { do: 'ask'; file: string } | { do: 'watch'; id: string } | { do: 'cancel'; id: string }
)
type BatchCommand = { kind: 'batch'; options: BatchOptions } | { kind: 'help' } | { kind: 'fault'; message: string }

export const batchHelp = `Ask many questions at once, a line each.

  npm run -s batch -- questions.jsonl > answers.jsonl    ask them, and write what came of each line, in their order
  npm run -s batch -- - < questions.jsonl                the same from standard input
  npm run -s batch -- --watch b0z8q1m5k2c7v9x3b6n4l8j1h  go on with a batch that was asked before
  npm run batch -- --cancel b0z8q1m5k2c7v9x3b6n4l8j1h    ask no more of it, and cancel what is under way

A line is JSON: {"custom_id": "mars", "question": "How heavy is Mars?"}, and what else POST /v1/runs takes.

  --url <address>       the gateway (default: PLUMBLINE_URL, PORT, the one that
                        runs from this folder, http://127.0.0.1:3000)
  --key <key>           an API key (or PLUMBLINE_KEY, or PLUMBLINE_KEY_FILE:
                        a file that holds it)
  --help, -h            this

Results go to standard output as JSON lines, how far it is to standard error. It does not wait for people: lines whose answers
are held are written as parked, and --watch writes them all again later. Ctrl-C leaves the batch at work.

Ends with 0: every line has an answer; 1: the gateway did not answer or refused; 2: the command could not be understood;
3: lines stay parked; 4: lines failed, were refused or cancelled; 130: it was interrupted (the batch goes on by itself).`

const options = {
  watch: { type: 'string' },
  cancel: { type: 'string' },
  url: { type: 'string' },
  key: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const

export const readBatchArgs = (words: string[], env: Environment, own: string | null): BatchCommand => {
  try {
    const { values, positionals } = parseArgs({ args: words, options, allowPositionals: true })
    if (values.help) return { kind: 'help' }
    const url = addressOf(values.url, env, own)
    if (!isAddress(url)) return { kind: 'fault', message: `"${url}" is not an address: write it as http://host:port.` }
    const asked = [...positionals, values.watch, values.cancel].filter((one) => one !== undefined)
    const [what = ''] = asked
    if (asked.length !== 1)
      return {
        kind: 'fault',
        message: `Name one file of questions, or a batch after --watch or --cancel.\n\n${batchHelp}`,
      }
    const key = values.key ?? secretOf(env, 'PLUMBLINE_KEY')
    const at = { url: url.replace(/\/+$/, ''), ...(key && { key }) }
    if (positionals.length > 0) return { kind: 'batch', options: { do: 'ask', file: what, ...at } }
    return { kind: 'batch', options: { do: values.watch === undefined ? 'cancel' : 'watch', id: what, ...at } }
  } catch (error) {
    return { kind: 'fault', message: `${error instanceof Error ? error.message : String(error)}\n\n${batchHelp}` }
  }
}
