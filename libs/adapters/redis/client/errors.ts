import { AppError } from '@plumbline/platform'

const blockedMs = 100
const away =
  /^(LOADING|CLUSTERDOWN|TRYAGAIN|MASTERDOWN|READONLY|MISCONF|BUSY|UNBLOCKED|NOREPLICAS|MOVED|ASK|ERR max number of clients)/

/**
 * If Redis is unavailable or full, returns an error that callers retry later. All other failures are bugs, which are
 * never retried.
 */
const storeError = (error: unknown): AppError => {
  if (error instanceof AppError) return error
  const message = error instanceof Error ? error.message : String(error)
  if (/^OOM |OOM command not allowed/.test(message)) return new AppError('store.full', 'later', { cause: error })
  const replied = error instanceof Error && error.name === 'ReplyError' && !away.test(message)
  if (replied || error instanceof SyntaxError) return new AppError('store.failed', 'never', { cause: error })
  return new AppError('store.unavailable', 'later', { cause: error })
}

export const withStoreErrors = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    throw storeError(error)
  }
}

/**
 * If the timer fires late, the process was blocked. The reply may then have arrived but not been read yet, so the
 * function waits a little longer.
 */
const answered = <T>(answer: Promise<T>, withinMs: number): Promise<T> =>
  new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout
    const wait = (ms: number): void => {
      const due = performance.now() + ms
      timer = setTimeout(() => {
        if (performance.now() - due > blockedMs) wait(2 * blockedMs)
        else setImmediate(() => reject(new Error(`no answer within ${withinMs} ms`)))
      }, ms)
    }
    wait(withinMs)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })

export type Call = <T>(work: () => Promise<T>) => Promise<T>
export const withTimeout =
  (withinMs: number): Call =>
  (work) =>
    withStoreErrors(() => answered(work(), withinMs))

/** The time limit of a call to Redis, in ms. A slower call fails with `store.unavailable`. */
export const answerWithinMs = 900

type Methods = Record<string, (...args: never[]) => Promise<unknown>>
export const throughCall = <Own extends Methods>(call: Call, methods: Own): Own =>
  Object.fromEntries(
    Object.entries(methods).map(([name, method]) => [name, (...args: never[]) => call(() => method(...args))]),
  ) as Own
