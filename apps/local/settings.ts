import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import type { DocumentsSettings } from '@plumbline/adapters/files/document-files'
import { FeaturesEnv } from '@plumbline/features/all/features.env'
import { readGatewayEnv } from '@plumbline/gateway/gateway-options'
import { GatewayEnv } from '@plumbline/gateway/gateway.env'
import { ModelsEnv } from '@plumbline/hosting/models/models.env'
import { IngestorEnv } from '@plumbline/ingestor/ingestor.env'
import { ResearcherEnv } from '@plumbline/stages/researcher/researcher.env'
import { SourcesEnv } from '@plumbline/features/sources/sources.env'
import { WebhooksEnv } from '@plumbline/features/webhooks/webhooks.env'
import { EntryEnv, readEnvs } from '@plumbline/platform/env'
import { TracingEnv } from '@plumbline/platform/tracing/tracing.env'
import { Fault } from './terminal'

export const LocalEnv = EntryEnv.extend({
  REDIS_URL: EntryEnv.shape.REDIS_URL.unwrap().optional(),
  /** By default, only warnings and errors are logged, because the log appears on the screen. */
  LOG_LEVEL: EntryEnv.shape.LOG_LEVEL.unwrap().default('warn'),
  DATA_DIR: z
    .string()
    .default('.data')
    .transform((dir) => resolve(dir)),
})
export type LocalEnv = z.infer<typeof LocalEnv>

export type Settings = {
  env: LocalEnv
  models: ModelsEnv
  documents: DocumentsSettings
  uses: string[]
}

/** Reads the settings of every app, so that errors are reported before the first app starts. */
export const readSettings = (): Settings => {
  const [env, chosen] = readEnvs([
    LocalEnv,
    ModelsEnv,
    GatewayEnv,
    FeaturesEnv,
    ResearcherEnv,
    IngestorEnv,
    SourcesEnv,
    WebhooksEnv,
    TracingEnv,
  ])
  const { models, webSearch, documents } = readGatewayEnv()
  try {
    mkdirSync(env.DATA_DIR, { recursive: true })
  } catch (error) {
    throw new Fault(
      `The data folder ${env.DATA_DIR} cannot be created: ${error instanceof Error ? error.message : String(error)}.\nSet DATA_DIR to a folder that you may write to.`,
    )
  }
  return {
    env,
    models: chosen,
    documents,
    uses: [...models.lines, `web search: ${webSearch ? 'on' : 'off'}`],
  }
}

export const appEnv = (env: LocalEnv, redisUrl: string): Record<string, string | undefined> => ({
  ...process.env,
  REDIS_URL: redisUrl,
  REDIS_URL_FILE: undefined,
  DATA_DIR: env.DATA_DIR,
  LOG_LEVEL: env.LOG_LEVEL,
  HOST: env.HOST,
  PORT: `${env.PORT}`,
})

/** Returns the environment of the workers, with PUBLIC_URL for links. A gateway uses the host of the request. */
export const workerEnv = (env: LocalEnv, redisUrl: string): Record<string, string | undefined> => ({
  ...appEnv(env, redisUrl),
  PUBLIC_URL: process.env['PUBLIC_URL'] ?? `http://${env.HOST}:${env.PORT}`,
})
