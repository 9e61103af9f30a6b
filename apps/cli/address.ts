export type Environment = Record<string, string | undefined>

export const addressOf = (given: string | undefined, env: Environment): string =>
  given ?? env.PLUMBLINE_URL ?? `http://127.0.0.1:${env.PORT?.trim() ? env.PORT.trim() : 3_000}`

export const isAddress = (text: string): boolean => /^https?:$/.test(URL.parse(text)?.protocol ?? '')
