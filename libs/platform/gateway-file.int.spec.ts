import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { noteGateway, notedGateway } from './gateway-file'

let dir: string
beforeEach(() => void (dir = mkdtempSync(join(tmpdir(), 'plumbline-noted-'))))
afterEach(() => rmSync(dir, { recursive: true }))

it('is found while its process lives, read by nobody else, and gone when it is taken back', () => {
  expect(notedGateway(dir)).toBeNull()
  const takeBack = noteGateway(dir, 'http://127.0.0.1:3107')
  expect(notedGateway(dir)).toBe('http://127.0.0.1:3107')
  expect(statSync(join(dir, 'gateway.json')).mode & 0o777).toBe(0o600)
  takeBack()
  expect(notedGateway(dir)).toBeNull()
  expect(readdirSync(dir)).toEqual([])
})

it('is not believed when its process has ended or it cannot be read', () => {
  const { pid } = spawnSync(process.execPath, ['--version'])
  for (const text of [
    JSON.stringify({ url: 'http://127.0.0.1:3107', pid }),
    JSON.stringify({ url: 'file:///etc/passwd', pid: process.pid }),
    '{"url":',
  ]) {
    writeFileSync(join(dir, 'gateway.json'), text)
    expect(notedGateway(dir)).toBeNull()
  }
})
