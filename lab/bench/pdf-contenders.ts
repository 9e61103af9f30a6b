import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { LiteParse } from '@llamaindex/liteparse'
import { lexicalEmbedder } from '@plumbline/adapters/offline/lexical-embedder'
import { openSqlitePassageIndex } from '@plumbline/adapters/sqlite/sqlite-passage-index'
import { chunk, withHeading } from '@plumbline/knowledge/chunking/chunk'
import { openParser } from '@plumbline/parsing'

export const contenders = ['ours', 'library', 'pdftotext'] as const
export type Contender = (typeof contenders)[number]

const never = new AbortController().signal
type Bring = (path: string) => Promise<void>

const openOurs = async (indexFile: string): Promise<Bring> => {
  const parser = openParser()
  const index = await openSqlitePassageIndex({ file: indexFile })
  const space = lexicalEmbedder.name
  let files = 0
  return async (path) => {
    const id = `pdf-${(files += 1)}`
    const title = basename(path)
    const parsed = await parser.parse({ path, name: title }, never)
    const passages = chunk({ id, collection: 'bench', title }, parsed)
    const vectors = await lexicalEmbedder.embed(passages.map(withHeading), never)
    const rows = passages.flatMap((passage, at) => vectors.slice(at, at + 1).map((vector) => ({ passage, vector })))
    await index.write('bench', { id, collection: 'bench', version: '1', metadata: {}, access: [], space }, rows, never)
  }
}

const open: Record<Contender, (indexFile: string) => Promise<Bring>> = {
  ours: openOurs,
  library: () =>
    Promise.resolve(async (path) => {
      await new LiteParse({ ocrEnabled: false, quiet: true, maxPages: 100_000 }).parse(await readFile(path))
    }),
  pdftotext: () =>
    Promise.resolve((path) => {
      const { status } = spawnSync('pdftotext', ['-layout', path, '-'], {
        maxBuffer: 1e9,
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      return status === 0 ? Promise.resolve() : Promise.reject(new Error(`pdftotext cannot read ${path}`))
    }),
}

export const serveContender = async (who: Contender, indexFile: string): Promise<void> => {
  const bring = await open[who](indexFile)
  const work = async (path: string): Promise<void> => {
    const began = performance.now()
    await bring(path)
    process.send?.({ ms: performance.now() - began })
  }
  process.on(
    'message',
    (path: string) => void work(path).catch((error: unknown) => process.send?.({ error: String(error) })),
  )
  process.once('disconnect', () => process.exit())
  process.send?.('ready')
}
