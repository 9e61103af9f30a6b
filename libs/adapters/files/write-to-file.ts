import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'

type Pieces = AsyncIterable<Uint8Array>

/**
 * Writes through a file handle and closes the handle before it returns. A Node file stream that is destroyed early
 * could still create its file later.
 */
export const writeToFile = async (
  path: string,
  content: Pieces,
  measured: (pieces: Pieces) => Pieces,
  signal: AbortSignal,
): Promise<void> => {
  signal.throwIfAborted()
  const file = await open(path, 'wx')
  try {
    const write = async (pieces: Pieces): Promise<void> => {
      for await (const piece of pieces) await file.writeFile(piece)
    }
    await pipeline(content, measured, write, { signal })
  } finally {
    await file.close()
  }
}
