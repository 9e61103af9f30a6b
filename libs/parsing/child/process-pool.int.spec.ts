import { existsSync } from 'node:fs'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Unfit } from '@plumbline/ports/document-parser'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { defaultLimits, type Limits } from '../limits'
import { openProcessPool } from './process-pool'
import { prose, writePdf } from '../spec/written-pdf'
import { startChild, type Child, type Done } from './reading-process'

const misbehaving = new URL('../spec/misbehaving.ts', import.meta.url)
const never = new AbortController().signal

let folder: string
let pool: ReturnType<typeof openProcessPool>
let count = 0
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'pool-'))))
afterAll(() => rm(folder, { recursive: true }))
afterEach(() => pool.close())

const open = (own: Partial<Limits> = {}): void => {
  pool = openProcessPool({ ...defaultLimits, ...own }, (limits) => startChild(limits, misbehaving))
}
const read = async (act: string, signal = never, onPage?: (done: number, of: number) => void): Promise<string> => {
  const path = join(folder, `${(count += 1)}`)
  await writeFile(path, act)
  const { parts } = await pool.read({
    file: { path, name: 'a.txt' },
    bytes: (await stat(path)).size,
    signal,
    ...(onPage && { onPage }),
  })
  return parts[0]!.text
}
const refusal = async (act: string): Promise<Unfit> => {
  const error = await read(act).catch((reason: unknown) => reason)
  if (!(error instanceof Unfit)) throw new Error(`not refused: ${String(error)}`)
  return error
}
const isAlive = (pid: string): boolean => {
  try {
    return process.kill(Number(pid), 0)
  } catch {
    return false
  }
}
const gone = (pid: string): Promise<void> => expect.poll(() => isAlive(pid)).toBe(false)

describe('reading in processes', { timeout: 240_000 }, () => {
  it('gives what was read and how far it is, and reads the next file in the same process', async () => {
    open()
    const seen: number[] = []
    expect(await read('say this')).toBe('this')
    expect(await read('pages 3', never, (done, of) => seen.push(done, of))).toBe('3')
    expect(seen).toEqual([1, 3, 2, 3, 3, 3])
    expect(await read('pid')).toBe(await read('pid'))
  })

  it('reads PDF after PDF in one process', async () => {
    const child = startChild(defaultLimits)
    const path = join(folder, 'small.pdf')
    const bytes = writePdf(
      Array.from({ length: 20 }, () => ({ put: prose(Array(40).fill('Words of a page'), 50, 60) })),
    )
    await writeFile(path, bytes)
    try {
      for (let nth = 0; nth < 6; nth += 1) {
        await child.work({ file: { path, name: 'small.pdf' }, bytes: bytes.length, signal: never })
        expect(child.fit()).toBe(true)
      }
    } finally {
      await child.close()
    }
  })

  it('reads many small PDFs in one process, which holds little more for them', async () => {
    const child = startChild(defaultLimits)
    const path = join(folder, 'page.pdf')
    const bytes = writePdf([{ put: prose(Array(40).fill('Words of a page'), 50, 60) }])
    await writeFile(path, bytes)
    try {
      for (let nth = 0; nth < 60; nth += 1) {
        await child.work({ file: { path, name: 'page.pdf' }, bytes: bytes.length, signal: never })
        expect(child.fit()).toBe(true)
      }
    } finally {
      await child.close()
    }
  })

  it('hands on a refusal with its words and page, and keeps the process', async () => {
    open()
    const pid = await read('pid')
    expect(await refusal('refuse Open it.')).toMatchObject({
      reason: 'encrypted',
      words: 'Open it.',
      page: 3,
      retry: 'never',
    })
    expect(await read('pid')).toBe(pid)
  })

  it.each([
    ['fault x is undefined', 'unreadable'],
    ['exit 7', 'unreadable'],
    ['abort', 'unreadable'],
    ['heap', 'bomb'],
    ['swell', 'bomb'],
    ['spin', 'too-slow'],
    ['long 2000', 'too-large'],
    ['pages 30', 'too-large'],
  ])('makes of %s a refusal as %s, and reads the next file', async (act, reason) => {
    // A slow machine needs more processor time to fill the memory, so only the endless loop has a short limit.
    open({ cpuMs: act === 'spin' ? 2_000 : 20_000, memoryMb: 200, heapMb: 70, textChars: 1_000, pages: 20, atOnce: 1 })
    const { reason: got, words } = await refusal(act)
    expect(got).toBe(reason)
    expect(words).toMatch(/^[A-Z].*\. .*\.$/)
    expect(await read('say more')).toBe('more')
  })

  it('refuses on the clock what takes no processor time', async () => {
    open({ timeMs: 1_500 })
    expect((await refusal('wait')).reason).toBe('too-slow')
  })

  it('gives more processor time for every page that was read', async () => {
    open({ cpuMs: 200, cpuMsPerPage: 1_000 })
    expect(await read('toil 3 1000')).toBe('3 1000')
    expect((await refusal('toil 0 1000')).reason).toBe('too-slow')
  })

  it('ends the process of a cancelled file', async () => {
    open()
    const pid = await read('pid')
    const stop = new AbortController()
    const begun = Promise.withResolvers<void>()
    const ended = expect(read('toil 1 60000', stop.signal, () => begun.resolve())).rejects.toThrow('not wanted')
    await begun.promise
    stop.abort(new Error('not wanted'))
    await ended
    await gone(pid)
  })

  it('reads so many at once and lets the others wait; one that waits may be given up', async () => {
    open({ atOnce: 1 })
    const stop = new AbortController()
    const [first, second, third] = [read('pid'), read('pid', stop.signal), read('pid')]
    stop.abort(new Error('not wanted'))
    await expect(second).rejects.toThrow('not wanted')
    expect(await third).toBe(await first)
  })

  it('gives its turn to the next where one is given up just as it is called', async () => {
    for (let moment = 0; moment < 8; moment += 1) {
      const answers = [Promise.withResolvers<Done>(), Promise.withResolvers<Done>(), Promise.withResolvers<Done>()]
      const started: number[] = []
      const fake: Child = {
        work: (job) => (started.push(job.bytes), answers[started.length - 1]!.promise),
        fit: () => true,
        end: () => undefined,
        close: async () => undefined,
      }
      pool = openProcessPool({ ...defaultLimits, atOnce: 1 }, () => fake)
      const stop = new AbortController()
      const bring = (bytes: number, signal = never) =>
        pool.read({ file: { path: '', name: '' }, bytes, signal }).catch(() => undefined)
      const all = [bring(1), bring(2, stop.signal), bring(3)]
      await expect.poll(() => started).toEqual([1])
      for (const { resolve } of answers) resolve({ kind: 'read', document: { markup: 'text', parts: [] } })
      for (let passed = 0; passed < moment; passed += 1) await Promise.resolve()
      stop.abort(new Error('not wanted'))
      await Promise.all(all)
      expect(started.at(-1)).toBe(3)
    }
  })

  it('says to retry if it is closed, or no process can be started', async () => {
    open()
    const seen = Promise.withResolvers<void>()
    const waiting = read('toil 1 60000', never, () => seen.resolve())
    const ended = expect(waiting).rejects.toMatchObject({ code: 'parser.closed', retry: 'later' })
    await seen.promise
    await pool.close()
    await ended
    const { execPath } = process
    process.execPath = join(folder, 'missing')
    try {
      open()
      await expect(read('say this')).rejects.toMatchObject({ code: 'parser.start', retry: 'later' })
    } finally {
      process.execPath = execPath
    }
  })

  it('replaces a process that has read its share, and one that has grown', async () => {
    open({ filesPerProcess: 2, atOnce: 1 })
    const first = await read('pid')
    expect([await read('pid'), await read('pid')]).toEqual([first, expect.not.stringMatching(first)])
    await gone(first)
    await pool.close()
    open({ memoryMb: 500, atOnce: 1 })
    const small = await read('pid')
    await read('keep 300')
    const other = await read('pid')
    expect(other).not.toBe(small)
    await refusal('overfill 300')
    expect(await read('pid')).not.toBe(other)
  })

  it('ends a process that has had nothing to read for a while', async () => {
    open({ idleMs: 50 })
    await gone(await read('pid'))
  })

  it('gives the process no environment, nothing to read from disk and nothing to start', async () => {
    open()
    process.env['SECRET_OF_THIS_SPEC'] = 'hidden'
    const env = Object.keys(JSON.parse(await read('env')) as object)
    expect(env.filter((name) => !name.startsWith('NODE_CHANNEL'))).toEqual([])
    const outside = join(folder, '1')
    expect(existsSync(outside)).toBe(true)
    expect((await refusal(`peek ${outside}`)).cause).toMatchObject({
      message: expect.stringContaining('Access to this API has been restricted') as string,
    })
    expect((await refusal('start')).cause).toMatchObject({
      message: expect.stringContaining('Access to this API has been restricted') as string,
    })
  })

  it('is not held up by what is written to standard error', async () => {
    open()
    expect(await read('noise')).toBe('quiet again')
  })

  it('says to retry if the file is gone', async () => {
    open()
    const missing = pool.read({ file: { path: join(folder, 'missing'), name: 'a' }, bytes: 3, signal: never })
    await expect(missing).rejects.toMatchObject({ code: 'parser.file', retry: 'later' })
  })
})
