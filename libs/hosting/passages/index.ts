import { join } from 'node:path'
import { openQdrantPassageIndex } from '@plumbline/adapters/qdrant'
import { openSqlitePassageIndex } from '@plumbline/adapters/sqlite'
import type { BaseEnv } from '@plumbline/platform/env'
import type { PassageIndex } from '@plumbline/ports/passage-index'

type Env = Pick<BaseEnv, 'DATA_DIR' | 'QDRANT_URL' | 'QDRANT_API_KEY' | 'QDRANT_PREFIX' | 'QDRANT_QUANTISATION'>

/** The index the environment names: a Qdrant server, or the embedded one in the folder of data. */
export const openPassageIndex = ({ DATA_DIR, QDRANT_URL: url, QDRANT_API_KEY: apiKey, QDRANT_PREFIX: prefix, QDRANT_QUANTISATION: quantisation }: Env): Promise<PassageIndex> =>
  url === undefined
    ? openSqlitePassageIndex({ file: join(DATA_DIR, 'index.sqlite') })
    : openQdrantPassageIndex({ url, prefix, quantisation, ...(apiKey !== undefined && { apiKey }) })
