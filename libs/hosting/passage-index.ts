import { join } from 'node:path'
import { openQdrantPassageIndex, type QdrantPassageIndex } from '@plumbline/adapters/qdrant/qdrant-passage-index'
import type { Rebuilt } from '@plumbline/adapters/qdrant/rebuilding'
import { openSqlitePassageIndex } from '@plumbline/adapters/sqlite/sqlite-passage-index'
import { EnvError, type BaseEnv } from '@plumbline/platform/env'
import type { PassageIndex } from '@plumbline/ports/passage-index/passage-index'
import { tracedIndex } from './traced-index'

type Env = Pick<BaseEnv, 'DATA_DIR' | 'QDRANT_URL' | 'QDRANT_API_KEY' | 'QDRANT_PREFIX' | 'QDRANT_QUANTISATION'>

const inQdrant = (
  url: string,
  { QDRANT_API_KEY: apiKey, QDRANT_PREFIX: prefix, QDRANT_QUANTISATION: quantisation }: Env,
): Promise<QdrantPassageIndex> =>
  openQdrantPassageIndex({ url, prefix, quantisation, ...(apiKey !== undefined && { apiKey }) })

export const openPassageIndex = async (env: Env): Promise<PassageIndex> =>
  env.QDRANT_URL === undefined
    ? tracedIndex(await openSqlitePassageIndex({ file: join(env.DATA_DIR, 'index.sqlite') }), 'sqlite')
    : tracedIndex(await inQdrant(env.QDRANT_URL, env), 'qdrant')

export const rebuildPassages = async (
  env: Env,
  signal: AbortSignal,
  onProgress: (progress: Rebuilt) => void,
): Promise<void> => {
  if (env.QDRANT_URL === undefined)
    throw new EnvError(
      'These options are for Qdrant, but the passages are in the embedded index. Set QDRANT_URL, or remove the options.',
    )
  const index = await inQdrant(env.QDRANT_URL, env)
  await index.rebuild(signal, onProgress)
  await index.close()
}
