import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const Noted = z.object({ url: z.url({ protocol: /^https?$/ }), pid: z.number().int().positive() })

const fileIn = (dataDir: string): string => join(dataDir, 'gateway.json')

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM means that the process exists but belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

export const noteGateway = (dataDir: string, url: string): (() => void) => {
  const file = fileIn(dataDir)
  const written = `${file}.${process.pid}`
  writeFileSync(written, `${JSON.stringify({ url, pid: process.pid })}\n`, { mode: 0o600 })
  renameSync(written, file)
  return () => rmSync(file, { force: true })
}

export const notedGateway = (dataDir: string): string | null => {
  try {
    const { url, pid } = Noted.parse(JSON.parse(readFileSync(fileIn(dataDir), 'utf8')))
    return isAlive(pid) ? url : null
  } catch {
    return null
  }
}
