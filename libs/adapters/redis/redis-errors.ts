import { AppError } from '@plumbline/platform'

const away = /^(LOADING|CLUSTERDOWN|TRYAGAIN|MASTERDOWN|READONLY|MISCONF|BUSY|UNBLOCKED|NOREPLICAS|MOVED|ASK|ERR max number of clients)/

/** What a caller of the store may see: away and full pass with time; any other reply is a fault of ours. */
export const storeError = (error: unknown): AppError => {
  if (error instanceof AppError) return error
  const message = error instanceof Error ? error.message : String(error)
  if (/^OOM |OOM command not allowed/.test(message)) return new AppError('store.full', 'later', { cause: error })
  const replied = error instanceof Error && error.name === 'ReplyError'
  if (replied && !away.test(message)) return new AppError('store.failed', 'never', { cause: error })
  return new AppError('store.unavailable', 'later', { cause: error })
}

export const storing = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    throw storeError(error)
  }
}
