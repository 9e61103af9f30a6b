import { rebuildPassages } from '@plumbline/hosting/passage-index'
import { AppError, readEnv, WorkerEnv } from '@plumbline/platform'

const reasonOf = (error: unknown): string => {
  const reason = error instanceof AppError && error.cause instanceof Error ? error.cause : error
  return reason instanceof Error ? reason.message : String(reason)
}

const inTwentieths = () => {
  let told = -1
  return ({ done, of }: { done: number; of: number }): void => {
    const share = Math.floor((done / of) * 20)
    if (share > told) process.stdout.write(`${done} of ${of} documents\n`)
    told = share
  }
}

/** Applies the current index options to the existing content of a Qdrant server. */
export const rebuild = async (): Promise<void> => {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => stopping.abort(new Error('It was stopped, and what had been built is dropped.')))
  try {
    await rebuildPassages(readEnv(WorkerEnv), stopping.signal, inTwentieths())
    process.stdout.write('Rebuilt: all passages stand in collections with the options of now.\n')
  } catch (error) {
    process.stderr.write(`Not all is rebuilt; what is not serves as before. ${reasonOf(error)}\n`)
    process.exitCode = 1
  }
}
