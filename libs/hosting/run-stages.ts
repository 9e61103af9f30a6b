import { stopOnSignals } from '@plumbline/platform'
import { hostStages } from './host-stages'
import type { Wiring } from './wiring'

/** The main of a worker: starts, stops on a signal, and says in words why it could not start. */
export const runStages = async (app: string, stages: Wiring[]): Promise<void> => {
  try {
    const host = await hostStages({ app, stages })
    stopOnSignals({ run: host.close }, host.log)
  } catch (error) {
    process.stderr.write(`${app} could not start. ${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}
