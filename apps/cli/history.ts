import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const most = 500

const read = (file: string): string[] => {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
  } catch {
    return []
  }
}

/** Questions asked before, the oldest first, for nobody else to read; a conversation goes on without them where they cannot be kept. */
export const openHistory = (file: string) => {
  const lines = read(file).slice(-most)
  return {
    lines,
    add: (line: string): void => {
      if (lines.at(-1) === line) return
      lines.push(line)
      const written = `${file}.${process.pid}`
      try {
        mkdirSync(dirname(file), { recursive: true })
        // Read again: another conversation may have added to it.
        const kept = [...read(file), line].slice(-most)
        writeFileSync(written, `${kept.join('\n')}\n`, { mode: 0o600 })
        renameSync(written, file)
      } catch {
        // Kept for this conversation only.
      }
    },
  }
}
