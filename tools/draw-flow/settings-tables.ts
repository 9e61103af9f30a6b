import { posix } from 'node:path'
import type { z } from 'zod'
import { FeaturesEnv } from '@plumbline/features/all/features.env'
import { SourcesEnv } from '@plumbline/features/sources/sources.env'
import { WebhooksEnv } from '@plumbline/features/webhooks/webhooks.env'
import { stages } from '@plumbline/flow'
import { GatewayEnv } from '@plumbline/gateway/gateway.env'
import { OidcEnv } from '@plumbline/gateway/http/oidc.env'
import { ModelsEnv } from '@plumbline/hosting/models/models.env'
import { IngestorEnv } from '@plumbline/ingestor/ingestor.env'
import { EntryEnv, WorkerEnv } from '@plumbline/platform/env'
import { docOf, fieldsOf } from '@plumbline/platform/setting'
import { TracingEnv } from '@plumbline/platform/tracing/tracing.env'
import { ResearcherEnv } from '@plumbline/stages/researcher/researcher.env'

const ofGateway = [EntryEnv, GatewayEnv, OidcEnv, FeaturesEnv, SourcesEnv]
const ofWorkers = [WorkerEnv, IngestorEnv, ResearcherEnv, WebhooksEnv]
const all: z.ZodType[] = [...ofGateway, ...ofWorkers, ModelsEnv, TracingEnv]

const limitOfStage = new RegExp(`^(?:${stages.join('|')})_(?=(?:concurrency|timeout_ms)$)`, 'i')
const settingsIn = (schemas: z.ZodType[]) =>
  schemas.flatMap(fieldsOf).map(([name, field]) => [name.replace(limitOfStage, '<STAGE>_'), field] as const)
const documented = new Map(settingsIn(all).filter(([, field]) => docOf(field)))

/** The tables of these pages have one row for each setting, or for a few settings that belong together. */
export const settingsPages = ['reference/settings.md', 'run/models.md', 'run/tracing.md', 'run/keys.md']

type Def = { defaultValue?: unknown; in?: z.ZodType; innerType?: z.ZodType }
const defaultOf = (field: z.ZodType): string => {
  const { defaultValue, in: input, innerType = input } = field.def as Def
  if (defaultValue === undefined) return innerType ? defaultOf(innerType) : '–'
  return defaultValue === '' || typeof defaultValue === 'object' ? '–' : `\`${String(defaultValue)}\``
}

const linked = (text: string, page: string): string =>
  text.replaceAll(/\]\(([\w/-]+\.md)/g, (_, target: string) =>
    target === page ? '](' : `](${posix.relative(posix.dirname(page), target)}`,
  )

const rowOf = (cell: string, page: string): string => {
  const rows = [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => {
    const field = documented.get(name)
    const doc = field && docOf(field)
    if (!doc) throw new Error(`docs/${page} has a row for ${name}, which no schema documents with \`setting\`.`)
    return { ...doc, name, default: doc.default ?? defaultOf(field) }
  })
  const defaults = rows.map((row) => row.default)
  const shown = new Set(defaults).size === 1 ? defaults.slice(0, 1) : defaults
  const about = [...new Set(rows.map((row) => row.about))].join('; ')
  return `| ${rows.map(({ name }) => `\`${name}\``).join(', ')} | ${shown.join(', ')} | ${linked(about, page)} |`
}

const table = /(?<=^\| variable \| default \| meaning \|\n\|---\|---\|---\|\n)(?:\|.*\n)+/gm

/** Writes the rows of a page again. The first cell of each row names its settings, and their schemas say the rest. */
export const withSettings = (page: string, text: string): string =>
  text.replaceAll(table, (rows) => rows.replaceAll(/^\|([^|]*)\|.*$/gm, (_, cell: string) => rowOf(cell, page)))

/** Returns the names of the settings that are in no row of these pages. */
export const missingSettings = (pages: string[], schemas = all): string[] => {
  const rows = pages.flatMap((text) => text.match(table) ?? []).join('\n')
  const names = new Set(settingsIn(schemas).map(([name]) => name))
  return [...names].filter((name) => !rows.includes(`\`${name}\``))
}
