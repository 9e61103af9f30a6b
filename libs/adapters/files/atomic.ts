import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import type { z } from 'zod'

/** Under its name a file is whole or not there, whenever the process ends. */
export const replaceFile = async (path: string, content: string | Uint8Array): Promise<void> => {
  const unfinished = `${path}.${randomUUID()}.tmp`
  try {
    await writeFile(unfinished, content)
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

/** Null where there is no such file, or where a lost power supply left half of one. */
export const readJson = async <S extends z.ZodType>(path: string, shape: S): Promise<z.output<S> | null> => {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (text === null) return null
  try {
    return shape.parse(JSON.parse(text))
  } catch {
    return null
  }
}
