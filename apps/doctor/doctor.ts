import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { queuePrefix } from '@plumbline/adapters/bullmq/queues'
import { openInspection, openOpsHistory } from '@plumbline/adapters/redis'
import { stages } from '@plumbline/flow'
import { GatewayEnv } from '@plumbline/gateway/gateway.env'
import { ModelsEnv } from '@plumbline/hosting/models/models.env'
import { IngestorEnv } from '@plumbline/ingestor/ingestor.env'
import { DoorEnv, EnvError, readEnvs, WorkerEnv } from '@plumbline/platform/env'
import { shownRedisUrl } from '@plumbline/platform/redis-url'
import { ResearcherEnv } from '@plumbline/stages/researcher/researcher.env'
import { WebhooksEnv } from '@plumbline/webhooks/webhooks.env'
import { fileFindings } from './files'
import { fault, type Finding } from './finding'
import { modelFindings, qdrantFindings } from './outside'
import { queueFindings } from './queues'
import { redisFindings } from './redis'

type Environment = Record<string, string | undefined>

const withinMs = 3_000
const queues = [...stages, 'review', 'ingest', 'webhook'] as const

const inRedis = async (url: string, lanes: string[]): Promise<Finding[]> => {
  const options = { withinMs, queues, prefixOf: queuePrefix }
  const inspection = await openInspection(url, options).catch(() => null)
  if (!inspection)
    return [
      fault(
        'redis',
        `Redis does not answer at ${shownRedisUrl(url)}.`,
        'Check that it runs, that this machine reaches it, and the user and password in REDIS_URL.',
      ),
    ]
  try {
    const { abandoned } = openOpsHistory(inspection.client)
    return [...(await redisFindings(inspection)), ...(await queueFindings(inspection, lanes, abandoned))]
  } finally {
    inspection.close()
  }
}

/** Without REDIS_URL it is the private Redis of `npm start`, where one runs over this data folder. */
const redisUrlOf = ({ REDIS_URL: url, REDIS_URL_FILE: file }: Environment, door: DoorEnv): string => {
  const noted = join(door.DATA_DIR, 'redis', 'port')
  return url || file || !existsSync(noted) ? door.REDIS_URL : `redis://127.0.0.1:${readFileSync(noted, 'utf8').trim()}`
}

/** Everything that is wrong with a deployment as seen from here. It only reads. */
export const examine = async (env: Environment): Promise<Finding[]> => {
  try {
    const [door, models] = readEnvs(
      [DoorEnv, ModelsEnv, WorkerEnv, GatewayEnv, ResearcherEnv, IngestorEnv, WebhooksEnv],
      env,
    )
    const found = await Promise.all([
      inRedis(redisUrlOf(env, door), door.LANES),
      modelFindings(models),
      qdrantFindings(door, models),
    ])
    return [...found.flat(), ...fileFindings(env, door.REDIS_URL, door.API_KEYS, door.DATA_DIR)]
  } catch (error) {
    if (!(error instanceof EnvError)) throw error
    return error.message
      .split('\n')
      .slice(1)
      .map((line) => fault('settings', line.trim(), 'Correct the setting: docs/operations.md lists all of them.'))
  }
}
