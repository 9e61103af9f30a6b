import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { root } from './paths.mjs'

const keep = 40_000

/** Runs a program quietly; what it printed is shown only when it fails. */
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

/** Runs a program in the foreground and resolves to its exit code. Signals sent to us alone are passed on. */
export const foreground = (command, args, options = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: ['inherit', 'inherit', 'inherit', 'ipc'], ...options })
    const pass = (signal) => {
      // A terminal sends Ctrl-C to the whole group: the child has it already.
      if (signal === 'SIGINT' && process.stdin.isTTY) return
      child.kill(signal)
    }
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
    for (const signal of signals) process.on(signal, pass)
    const settled = () => signals.forEach((signal) => process.removeListener(signal, pass))
    child.once('error', (error) => (settled(), reject(error)))
    child.once('exit', (code, signal) => (settled(), resolve(code ?? 128 + (constants.signals[signal] ?? 0))))
  })
