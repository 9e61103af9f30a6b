import { open, type FileHandle } from 'node:fs/promises'

const pieceBytes = 65_536

export class Shortened extends Error {}

/**
 * A file that is sent as it is read. A blob of `openAsBlob` ends this process where the file is changed meanwhile, and a body that
 * throws leaves `fetch` waiting for ever: this one ends early, the request fails for its length, and `fault` says why.
 */
export class FileOnDisk extends File {
  fault: unknown

  private constructor(
    private readonly handle: FileHandle,
    name: string,
    private readonly length: number,
  ) {
    super([], name)
  }

  static async open(path: string, name: string): Promise<FileOnDisk> {
    const handle = await open(path)
    try {
      return new FileOnDisk(handle, name, (await handle.stat()).size)
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  override get size(): number {
    return this.length
  }

  override stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    let at = 0
    return new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull: async (controller) => {
        const piece = at < this.length ? await this.piece(at) : null
        if (!piece) return controller.close()
        at += piece.byteLength
        controller.enqueue(piece)
      },
    })
  }

  close(): Promise<void> {
    return this.handle.close()
  }

  private async piece(at: number): Promise<Uint8Array<ArrayBuffer> | null> {
    try {
      const { bytesRead, buffer } = await this.handle.read(new Uint8Array(Math.min(pieceBytes, this.length - at)), 0, null, at)
      if (bytesRead === 0) throw new Shortened('the file became shorter while it was sent: bring it again')
      return buffer.subarray(0, bytesRead)
    } catch (error) {
      this.fault = error
      return null
    }
  }
}
