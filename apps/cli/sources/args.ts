import { resolve } from 'node:path'
import type { readWords, Refusal } from '@plumbline/commands/command.mjs'
import { sources } from '@plumbline/commands/rows/sources.mjs'
import { name as Name, NewSource } from '@plumbline/contracts'
import type { z } from 'zod'
import { type Environment, type GatewayAddress, gatewayOf, isAddress, readCommand } from '../args'

export type SourceInput = z.input<typeof NewSource>
type Connected = GatewayAddress & { json: boolean }
export type SourcesOptions = Connected &
  (
    | { do: 'list' }
    | { do: 'show'; name: string }
    | { do: 'add'; name: string; source: SourceInput }
    | { do: 'run'; name: string; confirmRemovals: boolean }
    | { do: 'remove'; name: string; documents: 'keep' | 'remove' }
  )
type SourcesCommand = { kind: 'sources'; options: SourcesOptions } | Refusal

type Values = Exclude<ReturnType<typeof readWords<typeof sources.options>>, Refusal>['values']

const pairOf = (text: string, shape: string): [string, string] => {
  const [, left, right] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  if (left === undefined || right === undefined) throw new Error(`"${text}" cannot be read: write it as ${shape}.`)
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
  if (every !== undefined && cron !== undefined) throw new Error('Give --every or --cron, not both.')
  if (cron !== undefined) return { schedule: { by: 'cron', cron } }
  if (every === undefined) return {}
  return { schedule: every === 'never' ? { by: 'button' } : { by: 'interval', minutes: Number(every) } }
}

const faultOf = (issue: z.core.$ZodIssue | undefined, kind: string): string => {
  if (issue?.code !== 'unrecognized_keys') return `${issue?.path.join('.')}: ${issue?.message}.`
  return `A source of the kind ${kind} has no setting ${issue.keys.join(', ')}. --kind names another kind: folder, s3, website or git.`
}

const sourceOf = (place: string | undefined, values: Values): SourceInput => {
  if (place === undefined) throw new Error('Give the location of the source: a folder, s3://bucket/prefix or a URL.')
  const kind = values.kind ?? kindOf(place)
  const access = (values.access ?? []).map((rule) => {
    const [paths, tags] = pairOf(rule, '--access "hr/**=hr,board"')
    return { paths, access: tags.split(',').filter((tag) => tag !== '') }
  })
  const input = {
    settings: { kind, ...locationSettings(kind, place), ...Object.fromEntries((values.set ?? []).map(settingOf)) },
    ...(values.collection && { collection: values.collection }),
    ...scheduleOf(values),
    ...(access.length > 0 && { access }),
  } as SourceInput
  const read = NewSource.safeParse(input)
  if (!read.success) throw new Error(faultOf(read.error.issues[0], kind))
  return input
}

const doing = (words: string[], values: Values) => {
  const [what = 'list', name = '', ...rest] = words
  if (what === 'list') return { do: what } as const
  const place = what === 'add' ? ' <folder or address>' : ''
  if (!Name.safeParse(name).success)
    throw new Error(
      `Give the name of the source: npm run plumbline -- sources ${what} <name>${place}. A name consists of lower-case letters, digits and dashes.`,
    )
  if (what === 'add') return { do: what, name, source: sourceOf(rest[0], values) } as const
  if (what === 'show') return { do: what, name } as const
  if (what === 'run') return { do: what, name, confirmRemovals: values['confirm-removals'] } as const
  const { documents } = values
  if (documents !== 'keep' && documents !== 'remove')
    throw new Error('Choose what happens to the documents of the source: --documents keep, or --documents remove.')
  return { do: 'remove', name, documents } as const
}

export const readSourcesArgs = (words: string[], env: Environment, own: string | null): SourcesCommand =>
  readCommand(sources, words, ({ values, positionals }) => ({
    kind: 'sources',
    options: { json: values.json, ...gatewayOf(values, env, own), ...doing(positionals, values) },
  }))
