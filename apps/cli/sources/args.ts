import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { name as Name, NewSource } from '@plumbline/contracts'
import { secretOf } from '@plumbline/platform/env'
import type { z } from 'zod'
import { addressOf, isAddress, type Environment } from '../args'

export type SourceInput = z.input<typeof NewSource>
type Connected = { json: boolean; url: string; key?: string }
export type SourcesOptions = Connected &
  (
    | { do: 'list' }
    | { do: 'show'; name: string }
    | { do: 'add'; name: string; source: SourceInput }
    | { do: 'run'; name: string; confirmRemovals: boolean }
    | { do: 'remove'; name: string; documents: 'keep' | 'remove' }
  )
type SourcesCommand =
  { kind: 'sources'; options: SourcesOptions } | { kind: 'help' } | { kind: 'fault'; message: string }

export const sourcesHelp = `Keep documents in sync with folders, buckets, websites and repositories.

  npm run sources                                        list the sources
  npm run sources -- add handbook /data/handbook         add a folder, which must be inside a folder of SOURCE_FOLDERS;
                                                         an existing name changes that source
  npm run sources -- add wiki https://example.org/wiki/  add a website; an address that ends in .git is a repository
  npm run sources -- add papers s3://bucket/papers       add a bucket
  npm run sources -- run handbook                        sync a source now, and show the progress
  npm run sources -- show handbook                       show the settings, the last run and its failures
  npm run sources -- remove handbook --documents keep    remove a source and keep its documents; to remove the
                                                         documents too: --documents remove

  --collection <name>    the collection of the documents (default: default)
  --every <minutes>      sync the source in this interval; with --every never, or without --every and --cron, the
                         source is synced only by run
  --cron <line>          sync the source at set times (UTC), such as "0 3 * * *"
  --access <rule>        paths and the access tags of their files, such as "hr/**=hr,board"; repeat for several rules.
                         The first rule that matches a path applies. Files that match no rule are open to everybody:
                         end with "**=board" to restrict them. "**=" alone opens all files
  --set <key=value>      a setting of the kind of source, such as region=eu-central-1, branch=main or credentials=wiki;
                         repeat for several settings. docs/use/sources.md lists them. An empty value (branch=) removes
                         the setting
  --kind <kind>          folder, s3, website or git; needed if the address does not show the kind
  --confirm-removals     with run: remove missing documents even if these are most of the source, or all of it
  --json                 print only the result, as one JSON object, on standard output
  --url <address>        the gateway (default: PLUMBLINE_URL, then PORT, then the gateway
                         that was started from this folder, then http://127.0.0.1:3000)
  --key <key>            an API key with the role admin (default: PLUMBLINE_KEY, or the content of the
                         file that PLUMBLINE_KEY_FILE names)
  --help, -h             show this help

Ends with 0: done; 1: the run failed or skipped something, or the gateway did not answer or refused the request; 2: the
command is invalid; 130: interrupted (a run that has started continues).`

const options = {
  collection: { type: 'string' },
  every: { type: 'string' },
  cron: { type: 'string' },
  access: { type: 'string', multiple: true, default: [] as string[] },
  set: { type: 'string', multiple: true, default: [] as string[] },
  kind: { type: 'string' },
  documents: { type: 'string' },
  'confirm-removals': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  url: { type: 'string' },
  key: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const

class Fault extends Error {}
type Values = ReturnType<typeof parsed>['values']
const parsed = (args: string[]) => parseArgs({ args, options, allowPositionals: true })

const pairOf = (text: string, shape: string): [string, string] => {
  const [, left, right] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  if (left === undefined || right === undefined) throw new Fault(`"${text}" cannot be read: write it as ${shape}.`)
  return [left, right]
}

const kindOf = (place: string): string => {
  if (place.startsWith('s3://')) return 's3'
  if (!isAddress(place)) return 'folder'
  return /\.git\/?$/.test(place) ? 'git' : 'website'
}

const locationSettings = (kind: string, place: string): Record<string, string> => {
  if (kind === 'folder') return { path: resolve(place) }
  if (kind !== 's3') return { url: place }
  const [bucket = '', ...prefix] = place.replace(/^s3:\/\//, '').split('/')
  return { bucket, ...(prefix.join('/') !== '' && { prefix: prefix.join('/') }) }
}

const settingOf = (text: string): [string, unknown] => {
  const [key, value] = pairOf(text, '--set key=value')
  if (value === '') return [key, undefined]
  if (key === 'exclude') return [key, value.split(',')]
  return [key, /^\d+$/.test(value) ? Number(value) : value === 'true' || value === 'false' ? value === 'true' : value]
}

const scheduleOf = ({ every, cron }: Values): Pick<SourceInput, 'schedule'> => {
  if (every !== undefined && cron !== undefined) throw new Fault('Give --every or --cron, not both.')
  if (cron !== undefined) return { schedule: { by: 'cron', cron } }
  if (every === undefined) return {}
  return { schedule: every === 'never' ? { by: 'button' } : { by: 'interval', minutes: Number(every) } }
}

const faultOf = (issue: z.core.$ZodIssue | undefined, kind: string): string => {
  if (issue?.code !== 'unrecognized_keys') return `${issue?.path.join('.')}: ${issue?.message}.`
  return `A source of the kind ${kind} has no setting ${issue.keys.join(', ')}. --kind names another kind: folder, s3, website or git.`
}

const sourceOf = (place: string | undefined, values: Values): SourceInput => {
  if (place === undefined) throw new Fault('Give the location of the source: a folder, s3://bucket/prefix or a URL.')
  const kind = values.kind ?? kindOf(place)
  const access = values.access.map((rule) => {
    const [paths, tags] = pairOf(rule, '--access "hr/**=hr,board"')
    return { paths, access: tags.split(',').filter((tag) => tag !== '') }
  })
  const input = {
    settings: { kind, ...locationSettings(kind, place), ...Object.fromEntries(values.set.map(settingOf)) },
    ...(values.collection && { collection: values.collection }),
    ...scheduleOf(values),
    ...(access.length > 0 && { access }),
  } as SourceInput
  const read = NewSource.safeParse(input)
  if (!read.success) throw new Fault(faultOf(read.error.issues[0], kind))
  return input
}

const verbs = ['list', 'add', 'show', 'run', 'remove']

const doing = (words: string[], values: Values) => {
  const [what = 'list', name = '', ...rest] = words
  if (!verbs.includes(what)) throw new Fault(`There is no command "${what}". Use one of ${verbs.join(', ')}.`)
  if (what === 'list') return { do: what } as const
  const place = what === 'add' ? ' <folder or address>' : ''
  if (!Name.safeParse(name).success)
    throw new Fault(
      `Give the name of the source: npm run sources -- ${what} <name>${place}. A name consists of lower-case letters, digits and dashes.`,
    )
  if (what === 'add') return { do: what, name, source: sourceOf(rest[0], values) } as const
  if (what === 'show') return { do: what, name } as const
  if (what === 'run') return { do: what, name, confirmRemovals: values['confirm-removals'] } as const
  const { documents } = values
  if (documents !== 'keep' && documents !== 'remove')
    throw new Fault('Choose what happens to the documents of the source: --documents keep, or --documents remove.')
  return { do: 'remove', name, documents } as const
}

export const readSourcesArgs = (words: string[], env: Environment, own: string | null): SourcesCommand => {
  try {
    const { values, positionals } = parsed(words)
    if (values.help) return { kind: 'help' }
    const url = addressOf(values.url, env, own)
    if (!isAddress(url)) throw new Fault(`"${url}" is not an address: write it as http://host:port.`)
    const key = values.key ?? secretOf(env, 'PLUMBLINE_KEY')
    const connected = { json: values.json, url: url.replace(/\/+$/, ''), ...(key && { key }) }
    return { kind: 'sources', options: { ...connected, ...doing(positionals, values) } }
  } catch (error) {
    if (error instanceof Fault) return { kind: 'fault', message: error.message }
    return { kind: 'fault', message: `${error instanceof Error ? error.message : String(error)}\n\n${sourcesHelp}` }
  }
}
