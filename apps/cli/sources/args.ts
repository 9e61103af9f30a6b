import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { name as Name, NewSource } from '@plumbline/contracts'
import { secretOf } from '@plumbline/platform/env'
import type { z } from 'zod'
import { addressOf, isAddress, type Environment } from '../args'

/** The settings of a source from the command line. Settings that are absent remain unchanged. */
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

export const sourcesHelp = `Keep documents in step with where they come from.

  npm run sources                                        what sources there are
  npm run sources -- add handbook /data/handbook         a folder, below one that SOURCE_FOLDERS names where the system
                                                         was started; again under the same name changes what is said
  npm run sources -- add wiki https://example.org/wiki/  a website; an address that ends in .git is a repository
  npm run sources -- add papers s3://bucket/papers       a bucket
  npm run sources -- run handbook                        bring it up to date now, and see how far it is
  npm run sources -- show handbook                       its settings, its last run and what failed in it
  npm run sources -- remove handbook --documents keep    remove the source; its documents stay, or go: --documents remove

  --collection <name>    where its documents go (default: default)
  --every <minutes>      look at it every so often; without --every and --cron, or with --every never, only when it is run
  --cron <line>          look at it by the clock (UTC), as "0 3 * * *"
  --access <rule>        paths and who may read them, as "hr/**=hr,board"; may be given several times, the first that
                         matches a path counts, and what none matches is for everybody: end with "**=board" to leave
                         nothing open; "**=" alone opens all
  --set <key=value>      a setting of its kind, as region=eu-central-1, branch=main or credentials=wiki;
                         may be given several times, docs/use/sources.md lists them; branch= takes one away
  --kind <kind>          folder, s3, website or git, where the address does not say it
  --confirm-removals     run: remove what is gone although that is most or all of the source
  --json                 the result as one JSON object on standard output, and nothing else there
  --url <address>        the gateway (default: PLUMBLINE_URL, PORT, the one that
                         runs from this folder, http://127.0.0.1:3000)
  --key <key>            an API key with the role admin (or PLUMBLINE_KEY, or PLUMBLINE_KEY_FILE:
                         a file that holds it)
  --help, -h             this

Ends with 0: done; 1: the run failed or left something out, or the gateway did not answer or refused; 2: the command could
not be understood; 130: it was interrupted (a run goes on by itself).`

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

/** Returns the location of a source as settings of its kind. */
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
  if (place === undefined) throw new Fault('Name the place of the source: a folder, s3://bucket/prefix or an address.')
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
  if (!verbs.includes(what)) throw new Fault(`"${what}" is not one of ${verbs.join(', ')}.`)
  if (what === 'list') return { do: what } as const
  const place = what === 'add' ? ' <folder or address>' : ''
  if (!Name.safeParse(name).success)
    throw new Fault(
      `Name the source: npm run sources -- ${what} <name>${place}; names are of lower-case letters, digits and dashes.`,
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
