import type { DocumentFiles } from '@plumbline/adapters/files/document-files'
import { type Log, repeat } from '@plumbline/platform'

const everyMs = 5_000

export const watchDocuments = (files: Pick<DocumentFiles, 'check' | 'where'>, log: Pick<Log, 'warn'>) => {
  let isAway = false
  const look = async (): Promise<void> => {
    try {
      await files.check()
      isAway = false
    } catch (error) {
      isAway = true
      throw error
    }
  }
  const looking = repeat(everyMs, look, (error) =>
    log.warn({ err: error }, 'document store unavailable: tasks that need it are waiting'),
  )
  return {
    lacking: (): string[] => (isAway ? [`document store: ${files.where}`] : []),
    stop: () => looking.stop(),
  }
}
