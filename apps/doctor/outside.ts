import { qdrantSpaces } from '@plumbline/adapters/qdrant/spaces'
import { openModels } from '@plumbline/hosting/models/models'
import type { ModelsEnv } from '@plumbline/hosting/models/models.env'
import { modelServerFaults } from '@plumbline/hosting/models/servers'
import { EnvError, type BaseEnv } from '@plumbline/platform/env'
import { silent } from '@plumbline/platform/log'
import { fault, type Finding } from './finding'

const withinMs = 5_000

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

export const modelFindings = async (models: ModelsEnv): Promise<Finding[]> =>
  (await modelServerFaults(models, withinMs)).map(({ says, fix }) => fault('models', says, fix))

export const qdrantFindings = async (env: BaseEnv, models: ModelsEnv): Promise<Finding[]> => {
  const { QDRANT_URL: url, QDRANT_API_KEY: apiKey, QDRANT_PREFIX: prefix } = env
  if (url === undefined) return []
  try {
    const { embedder } = await openModels(models, { log: silent })
    const { own, others } = await qdrantSpaces({ url, apiKey, prefix, signal: AbortSignal.timeout(withinMs) }, embedder)
    if (own || others.length === 0) return []
    return [
      fault(
        'qdrant.vectors',
        `Qdrant contains only passages with vectors of other models (${others.join(', ')}). The configured model is ${embedder.name}, with vectors of ${embedder.dimensions} numbers. Until the passages have these vectors, they are found by words only.`,
        'Keep an ingestor running, which adds the vectors, or set EMBEDDING_MODEL and EMBEDDING_DIMENSIONS back.',
      ),
    ]
  } catch (error) {
    if (error instanceof EnvError) return [fault('qdrant', error.message, 'Start the server, or correct the setting.')]
    return [fault('qdrant', textOf(error), 'Check the log of the server and the embedding settings.')]
  }
}
