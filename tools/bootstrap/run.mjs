import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { root } from './paths.mjs'

const keep = 40_000

export const quietly = (command, args, options = {}) =>
  new Promise((resolve, reject) => {
    let output = ''
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], ...options })
    const collect = (chunk) => (output = (output + chunk).slice(-keep))
    const end = () => child.kill()
    process.once('exit', end)
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    child.once('error', reject)
    child.once('close', (code, signal) => {
      process.removeListener('exit', end)
      resolve({ code: code ?? 128 + (constants.signals[signal] ?? 0), output })
    })
  })

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']

const parentOf = (pid) => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')[1]
  } catch {
    return null
  }
}
const isShell = (pid) => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[1] === '-c'
  } catch {
    return false
  }
}

/** Calls `onGone` when npm has ended. npm sends no signal in this case, and the shell that it started may still run. */
const watchNpm = (onGone) => {
  if (!process.env.npm_lifecycle_event) return () => undefined
  const parent = process.ppid
  const npm = isShell(parent) ? parentOf(parent) : null
  const timer = setInterval(() => {
    if (process.ppid === parent && (npm === null || parentOf(parent) === npm)) return
    clearInterval(timer)
    onGone()
  }, 500)
  return () => clearInterval(timer)
}

/** Runs a program and passes signals on to it. With `tied`, the program ends when this process ends. */
export const foreground = (command, args, { tied = false, ...options } = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: ['inherit', 'inherit', 'inherit', ...(tied ? ['ipc'] : [])],
      ...options,
    })
    const pass = (signal) => {
      // In a terminal, Ctrl-C reaches all processes of the group, so the program has already received this signal.
      if (signal === 'SIGINT' && process.stdin.isTTY) return
      child.kill(signal)
    }
    for (const signal of signals) process.on(signal, pass)
    const leave = watchNpm(() => child.kill('SIGTERM'))
    const settled = () => {
      leave()
      for (const signal of signals) process.removeListener(signal, pass)
    }
    child.once('error', (error) => (settled(), reject(error)))
    child.once('exit', (code, signal) => (settled(), resolve(code ?? 128 + (constants.signals[signal] ?? 0))))
  })
