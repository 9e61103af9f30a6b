import { join } from 'node:path'
import type { PageDrawer } from '@plumbline/ports/document-parser'
import { openParser } from './index'
import { unpackLanguages } from './ocr/language-data'

/** Draws pages of documents, one at a time, in a process that is started when the first is wanted. */
export const openPageDrawer = (
  dataDir: string,
  languages: readonly string[],
): PageDrawer & { close(): Promise<void> } => {
  let opened: Promise<ReturnType<typeof openParser>> | undefined
  const open = async () =>
    openParser({ ocr: await unpackLanguages(join(dataDir, 'ocr'), languages), limits: { atOnce: 1 } })
  return {
    draw: async (...asked) => (await (opened ??= open())).draw(...asked),
    close: async () => (await opened)?.close(),
  }
}
