import { join } from 'node:path'
import type { BaseEnv } from '@plumbline/platform/env'
import type { PassageIndex } from '@plumbline/ports/passage-index'

type Env = Pick<BaseEnv, 'DATA_DIR' | 'QDRANT_URL' | 'QDRANT_API_KEY' | 'QDRANT_PREFIX' | 'QDRANT_QUANTISATION'>

/** The index the environment names: a Qdrant server, or the embedded one in the folder of data. Only the one in use is loaded. */
export const openPassageIndex = async ({ DATA_DIR, QDRANT_URL: url, QDRANT_API_KEY: apiKey, QDRANT_PREFIX: prefix, QDRANT_QUANTISATION: quantisation }: Env): Promise<PassageIndex> => {
  if (url === undefined) {
    const { openSqlitePassageIndex } = await import('@plumbline/adapters/sqlite')
    return openSqlitePassageIndex({ file: join(DATA_DIR, 'index.sqlite') })
  }
  const { openQdrantPassageIndex } = await import('@plumbline/adapters/qdrant')
  return openQdrantPassageIndex({ url, prefix, quantisation, ...(apiKey !== undefined && { apiKey }) })
}
