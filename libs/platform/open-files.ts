import { readFileSync } from 'node:fs'

/** Returns how many files and connections this process may open (`ulimit -n`), or Infinity if unknown. */
export const openFilesLimit = (): number => {
  try {
    return Number(/^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? Infinity)
  } catch {
    return Infinity
  }
}
