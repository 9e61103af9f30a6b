import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { queuePrefix } from '@plumbline/adapters/bullmq/queues'
import { openOpsHistory } from '@plumbline/adapters/redis/ops/history'
import { type Inspection, openInspection } from '@plumbline/adapters/redis/ops/inspect'
import { stages } from '@plumbline/flow'
import { GatewayEnv } from '@plumbline/gateway/gateway.env'
import { ModelsEnv } from '@plumbline/hosting/models/models.env'
import { IngestorEnv } from '@plumbline/ingestor/ingestor.env'
import { EntryEnv, EnvError, readEnvs, WorkerEnv } from '@plumbline/platform/env'
import { redactRedisUrl } from '@plumbline/platform/redis-url'
import { ResearcherEnv } from '@plumbline/stages/researcher/researcher.env'
import { SourcesEnv } from '@plumbline/features/sources/sources.env'
import { WebhooksEnv } from '@plumbline/features/webhooks/webhooks.env'
import { documentFindings, storeOf } from './documents'
import { fileFindings } from './files'
import { fault, type Finding } from './finding'
import { modelFindings, qdrantFindings } from './outside'
import { queueFindings } from './queues'
import { redisFindings } from './redis'

type Environment = Record<string, string | undefined>

const withinMs = 3_000
const queues = [...stages, 'review', 'ingest', 'webhook'] as const

const refusals: Record<string, [says: string, fix: string] | undefined> = {
  WRONGPASS: [
    'does not accept the user or the password of REDIS_URL (WRONGPASS)',
    'Correct the user and the password in REDIS_URL; redis-cli ACL LIST shows the users and which of them are enabled.',
  ],
  NOAUTH: [
    'requires a password, but REDIS_URL contains none (NOAUTH)',
    'Add the user and the password to REDIS_URL: redis://user:password@host:port.',
  ],
  NOPERM: [
    'accepts the password, but the user may not even run INFO (NOPERM)',
    'Give the user the rights that deploy/redis/plumbline.acl lists.',
  ],
}
const unreachable = (url: string, error: unknown): Finding => {
  const [word = ''] = error instanceof Error ? error.message.split(' ', 1) : []
  const at = redactRedisUrl(url)
  const refusal = refusals[word]
  if (refusal) return fault('redis', `The Redis at ${at} ${refusal[0]}.`, refusal[1])
  return fault('redis', `Redis does not answer at ${at}.`, 'Check that Redis runs and that this machine can reach it.')
}

type OnInspection = (inspection: Inspection) => Promise<Finding[]>
const inRedis = async (url: string, lanes: string[], inDocuments: OnInspection): Promise<Finding[]> => {
  const options = { withinMs, queues, prefixOf: queuePrefix }
  const inspection = await openInspection(url, options).catch((error: unknown) => unreachable(url, error))
  if ('check' in inspection) return [inspection]
  try {
    const { abandoned } = openOpsHistory(inspection.client)
    return [
      ...(await redisFindings(inspection)),
      ...(await queueFindings(inspection, lanes, abandoned)),
      ...(await inDocuments(inspection)),
    ]
  } finally {
    inspection.close()
  }
}

/** Returns REDIS_URL, or else the URL of the private Redis that `npm start` runs in this folder. */
const redisUrlOf = ({ REDIS_URL: url, REDIS_URL_FILE: file }: Environment, entry: EntryEnv): string => {
  const noted = join(entry.DATA_DIR, 'redis', 'port')
  return url || file || !existsSync(noted) ? entry.REDIS_URL : `redis://127.0.0.1:${readFileSync(noted, 'utf8').trim()}`
}

export const documentsOf = (env: Environment) => {
  const [entry, ingestor] = readEnvs([EntryEnv, IngestorEnv], env)
  return { store: storeOf(entry, ingestor), redisUrl: redisUrlOf(env, entry) }
}

/** Returns the problems that can be found from this machine. It changes nothing. */
export const examine = async (env: Environment): Promise<Finding[]> => {
  try {
    const [entry, models, , , , ingestor] = readEnvs(
      [EntryEnv, ModelsEnv, WorkerEnv, GatewayEnv, ResearcherEnv, IngestorEnv, SourcesEnv, WebhooksEnv],
      env,
    )
    const found = await Promise.all([
      inRedis(redisUrlOf(env, entry), entry.LANES, ({ client }) => documentFindings(storeOf(entry, ingestor), client)),
      modelFindings(models),
      qdrantFindings(entry, models),
    ])
    return [...found.flat(), ...fileFindings(env, entry.REDIS_URL, entry.API_KEYS, entry.DATA_DIR)]
  } catch (error) {
    if (!(error instanceof EnvError)) throw error
    return error.message
      .split('\n')
      .slice(1)
      .map((line) =>
        fault('settings', line.trim(), 'Correct the setting. docs/reference/settings.md lists all settings.'),
      )
  }
}
