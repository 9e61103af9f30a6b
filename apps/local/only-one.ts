import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Fault } from './fault'

/** A process id may be somebody else's by now: where the system tells, its command must be ours. */
const runs = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  if (process.platform !== 'linux') return true
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('local')
  } catch {
    return false
  }
}

const holderOf = (file: string): { pid: number; url: string } | null => {
  try {
    const [pid, url = ''] = readFileSync(file, 'utf8').split(' ')
    return pid ? { pid: Number(pid), url } : null
  } catch {
    return null
  }
}

/** Two starts over one data folder would share a Redis and an index file: the second says where the first is. */
export const onlyOne = (dataDir: string, url: string): (() => void) => {
  const file = join(dataDir, 'running')
  const holder = holderOf(file)
  if (holder && holder.pid !== process.pid && runs(holder.pid))
    throw new Fault(
      `Plumbline already runs from this folder: ${holder.url} (process ${holder.pid}).\nStop it first, or give this one its own data: DATA_DIR=.data-2 PORT=3001 npm start`,
    )
  writeFileSync(file, `${process.pid} ${url}`)
  return () => rmSync(file, { force: true })
}
