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

/** Rebuilds the passages of a Qdrant server, so that the current index options also apply to existing content. */
export const rebuild = async (): Promise<void> => {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () =>
      stopping.abort(new Error('The rebuild was stopped. The unfinished copy of the passages was removed.')),
    )
  try {
    await rebuildPassages(readEnv(WorkerEnv), stopping.signal, inTwentieths())
    process.stdout.write('The rebuild is complete: all passages use the current index options.\n')
  } catch (error) {
    process.stderr.write(
      `The rebuild is incomplete. Collections that were not rebuilt work as before. ${reasonOf(error)}\n`,
    )
    process.exitCode = 1
  }
}
