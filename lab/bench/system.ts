import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqlitePassageIndex } from '@plumbline/adapters/sqlite/sqlite-passage-index'
import { createClient, type Client } from '@plumbline/client'
import { readFeatures } from '@plumbline/features/all'
import { createGateway, readGatewayEnv } from '@plumbline/gateway'
import { hostStages } from '@plumbline/hosting/host-stages'
import { ingestorWith } from '@plumbline/ingestor/ingestor'
import { createLog } from '@plumbline/platform'
import { allStages } from '@plumbline/stages/all'
import type { ModelServer } from '@plumbline/testing/model-server/model-server'

type Setting = { redisUrl: string; model: ModelServer; policies?: { name: string }[]; env?: Record<string, string> }
export type System = { client: Client; close(): Promise<void> }

export const openSystem = async ({ redisUrl, model, policies = [], env: more = {} }: Setting): Promise<System> => {
  const dir = await mkdtemp(join(tmpdir(), 'plumbline-bench-'))
  await mkdir(join(dir, 'policies'))
  for (const policy of policies) await writeFile(join(dir, 'policies', `${policy.name}.json`), JSON.stringify(policy))
  const log = createLog({ app: 'bench', level: 'error' })
  const env = {
    REDIS_URL: redisUrl,
    DATA_DIR: dir,
    POLICIES_DIR: join(dir, 'policies'),
    LOG_LEVEL: 'error',
    OPENAI_BASE_URL: model.openaiUrl,
    OPENAI_API_KEY: 'a-key',
    // Turn vectors off, because the compared programs use none.
    EMBEDDING_MODEL: 'none',
    ...more,
  }
  const { features, companions } = readFeatures(env)
  const stages = [...Object.values(allStages), ingestorWith(companions)]
  const host = await hostStages({ app: 'bench', stages, env, log, health: false })
  const index = await openSqlitePassageIndex({ file: join(dir, 'index.sqlite') })
  const gateway = await createGateway({
    ...readGatewayEnv(env),
    features,
    port: 0,
    log,
    removePassages: (tenant, id, signal) => index.remove(tenant, id, signal),
  })
  const close = async (): Promise<void> => {
    await gateway.close()
    await host.close()
    await index.close()
    await rm(dir, { recursive: true, force: true })
  }
  return { client: createClient({ url: gateway.url }), close }
}
