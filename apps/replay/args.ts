import { parseArgs } from 'node:util'
import { secretOf } from '@plumbline/platform/env'

export const help = `Decide about cases again, by today's policies and prompts.

  npm run replay -- cases.jsonl        write and check every draft again, with the models of the environment
  npm run replay -- cases.jsonl --offline
                                       check the stored drafts again, without any model

  --url <address>   take today's policies from this gateway (default: the presets, and those of POLICIES_DIR)
  --key <key>       an API key for it (or PLUMBLINE_KEY, or PLUMBLINE_KEY_FILE: a file that holds it)
  --json            what changed as one JSON array on standard output (npm itself writes there: npm run -s replay)
  --strict          end with 1 where something changed for the worse
  --help, -h        this

The question, the steps and the evidence are those of the case: nothing is searched again. Without models in the
environment (OPENAI_BASE_URL, …) it is as with --offline.

Ends with 0; 1: with --strict, something is worse, or a case could not be replayed; 2: the command could not be understood.`

export type Options = { file: string; offline: boolean; json: boolean; strict: boolean; url?: string; key?: string }
export type Command = { kind: 'replay'; options: Options } | { kind: 'help' } | { kind: 'fault'; message: string }

const flags = {
  offline: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  strict: { type: 'boolean', default: false },
  url: { type: 'string' },
  key: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const

export const readArgs = (words: string[], env: Record<string, string | undefined>): Command => {
  try {
    const { values, positionals } = parseArgs({ args: words, options: flags, allowPositionals: true })
    if (values.help) return { kind: 'help' }
    const [file, ...more] = positionals
    if (file === undefined || more.length > 0)
      return { kind: 'fault', message: `Name one file of exported cases: npm run replay -- cases.jsonl` }
    const key = values.key ?? secretOf(env, 'PLUMBLINE_KEY')
    const { offline, json, strict, url } = values
    return { kind: 'replay', options: { file, offline, json, strict, ...(url && { url }), ...(key && { key }) } }
  } catch (error) {
    return { kind: 'fault', message: `${error instanceof Error ? error.message : String(error)}\n\n${help}` }
  }
}
