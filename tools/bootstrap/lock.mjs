import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { inRoot } from './paths.mjs'
import { note } from './progress.mjs'

const file = inRoot('.data', 'bootstrap.lock')

const isAlive = (pid) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
const take = () => {
  try {
    const handle = openSync(file, 'wx')
    writeSync(handle, `${process.pid}`)
    closeSync(handle)
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    return false
  }
}
const holder = () => {
  try {
    return Number(readFileSync(file, 'utf8')) || null
  } catch {
    return null
  }
}

/** Runs `work` when no other command prepares this folder. The lock of a process that has ended is ignored. */
export const alone = async (work) => {
  mkdirSync(inRoot('.data'), { recursive: true })
  let said = false
  while (!take()) {
    const pid = holder()
    if (pid !== null && !isAlive(pid)) rmSync(file, { force: true })
    else {
      if (!said) note('Another command is preparing this folder; waiting for it.')
      said = true
      await wait(200)
    }
  }
  const release = () => rmSync(file, { force: true })
  process.once('exit', release)
  try {
    return await work()
  } finally {
    process.removeListener('exit', release)
    release()
  }
}
