import { parseArgs } from 'node:util'
import { secretOf } from '@plumbline/platform/env'
import { addressOf, isAddress, type Environment } from '../args'

export type BatchOptions = { url: string; key?: string } & (
  { do: 'ask'; file: string } | { do: 'watch'; id: string } | { do: 'cancel'; id: string }
)
type BatchCommand = { kind: 'batch'; options: BatchOptions } | { kind: 'help' } | { kind: 'fault'; message: string }

export const batchHelp = `Ask many questions at once, one per line.

  npm run -s batch -- questions.jsonl > answers.jsonl    ask the questions, and write their results in the same order
  npm run -s batch -- - < questions.jsonl                read the questions from standard input
  npm run -s batch -- --watch b0z8q1m5k2c7v9x3b6n4l8j1h  wait for a batch that was sent before, and write its results
  npm run batch -- --cancel b0z8q1m5k2c7v9x3b6n4l8j1h    cancel a batch and its runs in progress

Each line is a JSON object: {"custom_id": "mars", "question": "How heavy is Mars?"}. It may have all fields of POST /v1/runs.

  --url <address>       the gateway (default: PLUMBLINE_URL, then PORT, then the gateway
                        that was started from this folder, then http://127.0.0.1:3000)
  --key <key>           an API key (default: PLUMBLINE_KEY, or the content of the file
                        that PLUMBLINE_KEY_FILE names)
  --help, -h            show this help

The results are printed on standard output as JSON lines, and the progress on standard error. The command does not wait
for reviews: a line whose answer is held is written as parked, and --watch writes all lines again later. Ctrl-C leaves the
batch running.

Ends with 0: every line has an answer; 1: the gateway did not answer or refused the request; 2: the command is invalid;
3: some lines stay parked; 4: some lines failed, were refused or were cancelled; 130: interrupted (the batch continues).`

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
        message: `Give one questions file, or the id of a batch after --watch or --cancel.\n\n${batchHelp}`,
      }
    const key = values.key ?? secretOf(env, 'PLUMBLINE_KEY')
    const at = { url: url.replace(/\/+$/, ''), ...(key && { key }) }
    if (positionals.length > 0) return { kind: 'batch', options: { do: 'ask', file: what, ...at } }
    return { kind: 'batch', options: { do: values.watch === undefined ? 'cancel' : 'watch', id: what, ...at } }
  } catch (error) {
    return { kind: 'fault', message: `${error instanceof Error ? error.message : String(error)}\n\n${batchHelp}` }
  }
}
