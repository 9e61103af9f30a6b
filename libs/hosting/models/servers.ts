import type { ModelsEnv } from './models.env'

type ServerSettings = Pick<
  ModelsEnv,
  | 'OPENAI_API_KEY'
  | 'OPENAI_BASE_URL'
  | 'FALLBACK_BASE_URL'
  | 'FALLBACK_API_KEY'
  | 'EMBEDDING_BASE_URL'
  | 'EMBEDDING_API_KEY'
>
export type ServerFault = { says: string; fix: string }
type Server = { setting: string; keySetting: string; url: string; key?: string | undefined }

const openAi = 'https://api.openai.com/v1'
const configured = (env: ServerSettings): Server[] => {
  const { OPENAI_API_KEY: key, OPENAI_BASE_URL: url, FALLBACK_BASE_URL: fallback, EMBEDDING_BASE_URL: embedding } = env
  return [
    ...(key !== undefined || url !== undefined
      ? [{ setting: 'OPENAI_BASE_URL', keySetting: 'OPENAI_API_KEY', url: url ?? openAi, key }]
      : []),
    ...(fallback !== undefined
      ? [{ setting: 'FALLBACK_BASE_URL', keySetting: 'FALLBACK_API_KEY', url: fallback, key: env.FALLBACK_API_KEY }]
      : []),
    ...(embedding !== undefined
      ? [{ setting: 'EMBEDDING_BASE_URL', keySetting: 'EMBEDDING_API_KEY', url: embedding, key: env.EMBEDDING_API_KEY }]
      : []),
  ]
}

const reasonOf = (error: unknown, withinMs: number): string => {
  if (error instanceof Error && error.name === 'TimeoutError') return `no answer in ${withinMs / 1_000} s`
  const cause = error instanceof Error ? error.cause : undefined
  if (!(cause instanceof Error)) return String(error)
  return 'code' in cause ? String(cause.code) : cause.message
}

/**
 * Checks whether a model server can be reached. Any response is accepted unless it rejects the key, because some
 * servers cannot list their models.
 */
const faultOf = async ({ setting, keySetting, url, key }: Server, withinMs: number): Promise<ServerFault[]> => {
  const { origin, pathname } = new URL(url)
  const shown = `${origin}${pathname.replace(/\/$/, '')}`
  try {
    const { status } = await fetch(`${shown}/models`, {
      headers: key === undefined ? {} : { authorization: `Bearer ${key}`, 'api-key': key },
      signal: AbortSignal.timeout(withinMs),
    })
    return status === 401 || status === 403
      ? [{ says: `The model server at ${shown} rejects the key (${status}).`, fix: `Check ${keySetting}.` }]
      : []
  } catch (error) {
    return [
      {
        says: `The model server at ${shown} does not answer (${reasonOf(error, withinMs)}).`,
        fix: `Check that the server runs, that this machine can reach it, and that ${setting} is correct.`,
      },
    ]
  }
}

export const modelServerFaults = async (env: ServerSettings, withinMs = 3_000): Promise<ServerFault[]> =>
  (await Promise.all(configured(env).map((server) => faultOf(server, withinMs)))).flat()
