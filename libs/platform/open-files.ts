import { readFileSync } from 'node:fs'

/** How many files and connections this process may have open (`ulimit -n`); no end where the system does not say. */
export const openFilesLimit = (): number => {
  try {
    return Number(/^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? Infinity)
  } catch {
    return Infinity
  }
}
