import { readFileSync, readdirSync } from 'node:fs'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Unfit } from '@plumbline/ports/document-parser'
import { openParser } from '../index'
import { bombs, burdens } from './bombs'

const signal = new AbortController().signal

type Thrown = { name: string; bytes: number; refused: boolean; ended: string; ms: number; readerMb: number }
type Throwing = {
  bombs: Thrown[]
  burdens: Thrown[]
  /** How much the memory of this process grew since before the first bomb, in MB. */
  grownMb: number
  /** The part of the growth that remained at the end, in MB. */
  keptMb: number
  /** These counts are of valid files that were read one after another while the bombs were read. */
  others: { read: number; failed: number; slowestMs: number }
}

/** Memory that was used to make the bombs would hide the memory that is used to read them. */
const collectGarbage = (): void => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  collect()
}

const heldMb = (): number => process.memoryUsage.rss() / 1e6

const watchMemory = () => {
  collectGarbage()
  const from = heldMb()
  let most = from
  const timer = setInterval(() => (most = Math.max(most, heldMb())), 20)
  return () => {
    clearInterval(timer)
    collectGarbage()
    return { grownMb: most - from, keptMb: heldMb() - from }
  }
}

const pageBytes = 4_096

const readerMb = (): number => {
  const pids = readdirSync('/proc/self/task').flatMap((thread) =>
    readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
  )
  const sizes = pids.map((pid) => {
    try {
      return (Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * pageBytes) / 1e6
    } catch {
      return 0
    }
  })
  return Math.max(0, ...sizes)
}

const watchReaders = (startMb: number) => {
  let most = startMb
  const timer = setInterval(() => (most = Math.max(most, readerMb())), 5)
  return (): number => {
    clearInterval(timer)
    return Math.round(most - startMb)
  }
}

export const throwBombs = async (all = bombs, hard = burdens): Promise<Throwing> => {
  const folder = await mkdtemp(join(tmpdir(), 'bombs-'))
  const parser = openParser()
  const others = { read: 0, failed: 0, slowestMs: 0 }
  const read = async (path: string, name: string): Promise<{ refused: boolean; ended: string; ms: number }> => {
    const from = performance.now()
    const { refused, ended } = await parser.parse({ path, name }, signal).then(
      ({ parts }) => ({
        refused: false,
        ended: `read ${parts.reduce((sum, { text }) => sum + text.length, 0)} characters`,
      }),
      (error: unknown) => ({
        refused: error instanceof Unfit,
        ended: error instanceof Unfit ? error.reason : String(error),
      }),
    )
    return { refused, ended, ms: Math.round(performance.now() - from) }
  }
  const write = async (name: string, bytes: Buffer): Promise<string> => {
    await writeFile(join(folder, name), bytes)
    return join(folder, name)
  }
  const good = await write('good.csv', Buffer.from('a,b\n1,2\n'))
  let over = false
  const bring = async (): Promise<void> => {
    while (!over) {
      const { ended, ms } = await read(good, 'good.csv')
      if (ended.startsWith('read ')) others.read += 1
      else others.failed += 1
      others.slowestMs = Math.max(others.slowestMs, ms)
      await pause(20)
    }
  }
  const each = async (list: typeof bombs, startMb: number): Promise<Thrown[]> => {
    const thrown: Thrown[] = []
    for (const { name } of list) {
      const grown = watchReaders(startMb)
      const ending = await read(join(folder, name), name)
      thrown.push({ name, bytes: (await stat(join(folder, name))).size, ...ending, readerMb: grown() })
    }
    return thrown
  }
  try {
    for (const { name, make } of [...all, ...hard]) await write(name, make())
    const grown = watchMemory()
    await read(good, 'good.csv')
    const startMb = readerMb()
    const bringing = bring()
    const thrown = { bombs: await each(all, startMb), burdens: await each(hard, startMb) }
    over = true
    await bringing
    return { ...thrown, ...grown(), others }
  } finally {
    over = true
    await parser.close()
    await rm(folder, { recursive: true, force: true })
  }
}
