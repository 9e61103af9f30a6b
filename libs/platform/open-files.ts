import { readFileSync } from 'node:fs'

/**
 * Returns the number of files and connections that this process may open (`ulimit -n`). Returns Infinity if the limit
 * is unknown.
 */
export const openFilesLimit = (): number => {
  try {
    return Number(/^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? Infinity)
  } catch {
    return Infinity
  }
}
