import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createStop } from './stop'

const warned: string[] = []
const log = { warn: (...words: unknown[]) => void warned.push(String(words.at(-1))) } as never

describe('the stop', () => {
  it('closes in reverse order, once, each after the one before has closed', async () => {
    const order: string[] = []
    const stop = createStop(log)
    stop.add('first', () => void order.push('first'))
    stop.add('second', async () => {
      await new Promise((resolve) => setImmediate(resolve))
      order.push('second')
    })
    await Promise.all([stop.run(), stop.run()])
    expect(order).toEqual(['second', 'first'])
  })

  it('continues after a step that fails or hangs, and logs which', async () => {
    const order: string[] = []
    const stop = createStop(log, 20)
    stop.add('last', () => void order.push('last'))
    stop.add('the hanging one', () => new Promise(() => {}))
    stop.add('the failing one', () => Promise.reject(new Error('no')))
    await stop.run()
    expect(order).toEqual(['last'])
    expect(warned).toEqual([
      'stopping the failing one failed',
      'stopping the hanging one took more than 20 ms: continuing',
    ])
  })
})

const stopModule = join(import.meta.dirname, 'stop.ts')
/** Returns the code of an app that runs `onStop` when it stops. */
const app = (onStop: string, drainMs: number): string => `
  const { stopOnSignals } = await import('${stopModule}')
  const say = (words) => process.stdout.write(words + '\\n')
  const log = { info: say, warn: () => undefined }
  setInterval(() => undefined, 1_000)
  stopOnSignals({ run: async () => { ${onStop} } }, log, ${drainMs})
  console.log('pid ' + process.pid)`
const starter = (script: string): string => `
  const { spawn } = await import('node:child_process')
  const child = spawn(process.execPath, ['--input-type=module', '-e', ${JSON.stringify(script)}],
    { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], detached: true })
  child.stdout.pipe(process.stdout)`

const run = async (script: string) => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  while (!/pid \d+\n/.test(output)) output += String(await once(child.stdout, 'data'))
  return { child, pid: Number(/pid (\d+)/.exec(output)?.[1]) }
}
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
const ends = async (pid: number, withinMs: number): Promise<boolean> => {
  for (const until = Date.now() + withinMs; isAlive(pid) && Date.now() < until;) await wait(20)
  const ended = !isAlive(pid)
  if (!ended) process.kill(pid, 'SIGKILL')
  return ended
}

it('an app ends by itself when its starter was killed, whatever its stop writes', async () => {
  const writes = `for (let n = 0; n < 50; n += 1) { process.stderr.write('closing'); say('closing'); await new Promise(setImmediate) } process.exit(0)`
  const { child, pid } = await run(starter(app(writes, 60_000)))
  child.kill('SIGKILL')
  expect(await ends(pid, 10_000)).toBe(true)
})

it('an app whose stop hangs ends in its time', async () => {
  const { child, pid } = await run(starter(app('await new Promise(() => undefined)', 100)))
  child.kill('SIGKILL')
  expect(await ends(pid, 10_000)).toBe(true)
})

it('a closed terminal stops in order, and its pipe may be gone', async () => {
  const { child } = await run(
    app(`process.stdout.write('x'); await new Promise((go) => setTimeout(go, 100)); process.exit(7)`, 60_000),
  )
  child.stdout.destroy()
  child.stderr.destroy()
  child.kill('SIGHUP')
  expect(await once(child, 'exit')).toEqual([7, null])
})

it('another signal later cuts nothing off, the same one does', async () => {
  const { child } = await run(app('await new Promise(() => undefined)', 60_000))
  child.kill('SIGHUP')
  await once(child.stdout, 'data')
  await wait(1_100)
  child.kill('SIGTERM')
  child.kill('SIGHUP')
  expect(await once(child, 'exit')).toEqual([130, null])
})
