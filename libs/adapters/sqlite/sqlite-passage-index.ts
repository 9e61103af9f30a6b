import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Passage } from '@plumbline/contracts'
import type { PassageIndex } from '@plumbline/ports/passage-index'
import { rowsOf, spaceOf } from './row'
import { searchingIn } from './searching'
import { startIndexThread } from './thread'

type Options = { file: string }

const openMs = 30_000

const reasonOf = (error: unknown): string => {
  const origin = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return origin instanceof Error ? origin.message : String(origin)
}

const anywhere = { from: Number.MIN_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER }

/** The embedded index: one SQLite file that several processes may share. Looking for words, looking for vectors and writing have a thread each. */
export const openSqlitePassageIndex = async ({ file }: Options): Promise<PassageIndex> => {
  await mkdir(dirname(file), { recursive: true })
  const reader = startIndexThread(file)
  const vectors = startIndexThread(file)
  const writer = startIndexThread(file)

  const index: PassageIndex = {
    write: async (tenant, { space, ...document }, passages, signal) => {
      const rows = await rowsOf(passages, signal)
      await writer.call(
        'write',
        [tenant, { ...document, space: spaceOf(space, passages[0]?.vector.length ?? 0) }, rows],
        signal,
      )
    },
    remove: (tenant, documentId, signal) => writer.call('remove', [tenant, documentId], signal),
    search: searchingIn({ reader, vectors }),
    passages: async (scope, documentId, span, signal) => {
      const rows = await reader.call(
        'passages',
        [scope, documentId, span?.from ?? anywhere.from, span?.to ?? anywhere.to],
        signal,
      )
      return rows.map(({ passage }) => JSON.parse(passage) as Passage)
    },
    count: (scope, signal) => reader.call('count', [scope], signal),
    close: async () => void (await Promise.all([reader.close(), vectors.close(), writer.close()])),
  }
  await index
    .count({ tenant: '', collections: [], filters: {}, access: [] }, AbortSignal.timeout(openMs))
    .catch(async (cause: unknown) => {
      await index.close()
      throw new Error(
        `The index ${file} cannot be opened: ${reasonOf(cause)}. Move the file away to begin a new one, or set DATA_DIR to another folder.`,
        { cause },
      )
    })
  return index
}
