import type { FileHandle } from 'node:fs/promises'

const pieceBytes = 65_536

/** A file that is not what it was when it was opened. */
export class Shortened extends Error {
  override readonly message = 'the file became shorter while it was sent: bring it again'
}

/** So much of a file, read as it is sent; what grows behind that comes with the next version. */
export async function* piecesOf(file: FileHandle, size: number): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let at = 0; at < size;) {
    const { bytesRead, buffer } = await file.read(new Uint8Array(Math.min(pieceBytes, size - at)), 0, null, at)
    if (bytesRead === 0) throw new Shortened()
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}
