import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { backOff, runProcesses } from './processes'

let dir: string
beforeEach(async () => void (dir = await mkdtemp(join(tmpdir(), 'plumbline-processes-'))))
afterEach(() => rm(dir, { recursive: true, force: true }))

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

it('waits twice as long after each death, with an end to it', () => {
  const limits = { firstMs: 500, mostMs: 30_000 }
  expect([1, 2, 3, 4, 20].map((deaths) => backOff(deaths, limits))).toEqual([500, 1_000, 2_000, 4_000, 30_000])
})

it('starts a dead app again, names the app on each line, and leaves nothing behind', async () => {
  const script = join(dir, 'app.mjs')
  await writeFile(
    script,
    `console.log('up ' + process.env.WHO + ' ' + process.pid); setInterval(() => {}, 1000); process.on('SIGTERM', () => process.exit(0))`,
  )
  const lines: string[] = []
  const [kept] = runProcesses([{ name: 'one', script, env: { ...process.env, WHO: 'grader' } }], {
    print: (app, line) => lines.push(`${app}: ${line}`),
    firstMs: 10,
  })
  const pids = () => lines.flatMap((line) => /^one: up grader (\d+)$/.exec(line)?.slice(1).map(Number) ?? [])
  await vi.waitFor(() => expect(pids()).toHaveLength(1), 10_000)
  process.kill(pids()[0]!, 'SIGKILL')
  await vi.waitFor(() => expect(pids()).toHaveLength(2), 10_000)
  expect(lines).toContain('one: was ended by SIGKILL; starting it again in 0.01 s')
  await kept!.stop()
  expect(pids().filter(isAlive)).toEqual([])
})

it('stops an app that is waiting to come back', async () => {
  const script = join(dir, 'dies.mjs')
  await writeFile(script, 'process.exit(3)')
  const lines: string[] = []
  const [kept] = runProcesses([{ name: 'dies', script, env: process.env }], {
    print: (_, line) => lines.push(line),
    firstMs: 60_000,
    mostMs: 60_000,
  })
  await vi.waitFor(() => expect(lines.at(-1)).toBe('ended with code 3; starting it again in 60 s'), 10_000)
  await kept!.stop()
})
