import { readWords, type Refusal } from '@plumbline/commands/command.mjs'
import { replay } from '@plumbline/commands/rows/replay.mjs'
import { secretOf } from '@plumbline/platform/env'

export type Options = { file: string; offline: boolean; json: boolean; strict: boolean; url?: string; key?: string }
type Command = { kind: 'replay'; options: Options } | Refusal

export const readArgs = (words: string[], env: Record<string, string | undefined>): Command => {
  try {
    const read = readWords(replay, words)
    if (read.kind !== 'words') return read
    const { values, positionals } = read
    const [file, ...more] = positionals
    if (file === undefined || more.length > 0)
      return { kind: 'fault', message: `Name one file of exported cases: npm run plumbline -- replay cases.jsonl` }
    const key = values.key ?? secretOf(env, 'PLUMBLINE_KEY')
    const { offline, json, strict, url } = values
    return { kind: 'replay', options: { file, offline, json, strict, ...(url && { url }), ...(key && { key }) } }
  } catch (error) {
    return { kind: 'fault', message: error instanceof Error ? error.message : String(error) }
  }
}
