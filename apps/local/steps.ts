type Out = { isTTY?: boolean; write(text: string): unknown }

const seconds = (since: number): string => `${((Date.now() - since) / 1_000).toFixed(1)} s`

/** Shows each slow step of the start: a living line on a terminal, plain lines anywhere else. */
export const stepsOn = (out: Out, env: Record<string, string | undefined> = process.env) => {
  const living = Boolean(out.isTTY) && !env.CI && env.TERM !== 'dumb'
  return async <T>(
    doing: string,
    work: (tell: (detail: string) => void) => Promise<T>,
    done: (result: T) => string,
  ): Promise<T> => {
    const since = Date.now()
    let detail = ''
    const show = (): void =>
      void out.write(
        living ? `\r\x1b[2K  ${doing}${detail} … ${seconds(since)}` : `  ${doing}${detail} … ${seconds(since)}\n`,
      )
    if (living) show()
    const timer = setInterval(show, living ? 100 : 5_000)
    try {
      const result = await work((text) => void (detail = ` ${text}`))
      out.write(`${living ? '\r\x1b[2K' : ''}  ${done(result)} (${seconds(since)})\n`)
      return result
    } catch (error) {
      if (living) out.write('\r\x1b[2K')
      throw error
    } finally {
      clearInterval(timer)
    }
  }
}
