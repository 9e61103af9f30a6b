import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type DocumentFiles, openDocumentFiles } from './document-files'

const spinning = `process.stdout.write('busy'); for (const end = Date.now() + 60_000; Date.now() < end; );`

let dir: string
let files: DocumentFiles
let busy: ChildProcess[]
beforeAll(async () => {
  busy = [1, 2].map(() => spawn(process.execPath, ['-e', spinning]))
  await Promise.all(busy.map(({ stdout }) => once(stdout!, 'data')))
})
afterAll(() => {
  for (const child of busy) child.kill('SIGKILL')
})
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'plumbline-receive-'))
  files = await openDocumentFiles(dir)
})
afterEach(async () => {
  await files.close()
  await rm(dir, { recursive: true })
})

const piece = (): Promise<Uint8Array> => Promise.resolve(new Uint8Array(100))

async function* cutOff(): AsyncGenerator<Uint8Array> {
  yield await piece()
  throw new Error('cut')
}
async function* tooLarge(): AsyncGenerator<Uint8Array> {
  yield await piece()
  yield await piece()
}
async function* aborted(controller: AbortController): AsyncGenerator<Uint8Array> {
  yield await piece()
  controller.abort(new Error('stopped'))
  yield await piece()
}

describe('receiving while other processes are busy', () => {
  it(
    'leaves no file behind after 3,000 streams that are cut off, too large or aborted',
    { timeout: 300_000 },
    async () => {
      for (let nth = 0; nth < 1_000; nth += 1) {
        const controller = new AbortController()
        for (const content of [cutOff(), tooLarge(), aborted(controller)])
          await expect(files.receive(content, { bytes: 150 }, controller.signal)).rejects.toThrow()
      }
      await nextTurn()
      expect(await readdir(join(dir, 'incoming'))).toEqual([])
    },
  )
})
