export type Environment = Record<string, string | undefined>

/** What was said first, then what the environment says, then the gateway that runs from this folder. */
export const addressOf = (given: string | undefined, env: Environment, own: string | null): string => {
  const port = env.PORT?.trim()
  return given ?? env.PLUMBLINE_URL ?? (port ? `http://127.0.0.1:${port}` : (own ?? 'http://127.0.0.1:3000'))
}

export const dataDirOf = (env: Environment): string => env.DATA_DIR?.trim() || '.data'

export const isAddress = (text: string): boolean => /^https?:$/.test(URL.parse(text)?.protocol ?? '')
