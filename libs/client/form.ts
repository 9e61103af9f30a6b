/** A file as it is, or as pieces that are read while they are sent (where `fetch` sends streams, as in Node). */
export type Content = Blob | AsyncIterable<Uint8Array<ArrayBuffer>>
type Field = readonly [name: string, value: string]
type File = { content: Content; filename: string }
export type Form = { body: FormData } | { body: ReadableStream<Uint8Array<ArrayBuffer>>; type: string }

/** What was to be sent could not be read; why is its cause. */
export class Unreadable extends Error {}

const disposition = (name: string): string => `content-disposition: form-data; name="${name}"`
/** As browsers write it. */
const quotable = (filename: string): string => filename.replace(/["\r\n]/g, encodeURIComponent)

async function* encoded(
  fields: readonly Field[],
  pieces: AsyncIterable<Uint8Array<ArrayBuffer>>,
  filename: string,
  boundary: string,
) {
  const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)
  for (const [name, value] of fields) yield bytes(`--${boundary}\r\n${disposition(name)}\r\n\r\n${value}\r\n`)
  yield bytes(
    `--${boundary}\r\n${disposition('file')}; filename="${quotable(filename)}"\r\ncontent-type: application/octet-stream\r\n\r\n`,
  )
  try {
    yield* pieces
  } catch (cause) {
    throw new Unreadable('what is sent cannot be read', { cause })
  }
  yield bytes(`\r\n--${boundary}--\r\n`)
}

// Iterables and blobs of the disk are read by `fetch` itself, and there a fault, or an abort while one is read, ends the process.
const streamOf = (pieces: AsyncGenerator<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array<ArrayBuffer>> =>
  new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: async () => void (await pieces.return(undefined)),
  })

/** The fields go first, so that the gateway knows them before the file begins. */
export const formOf = (fields: readonly Field[], { content, filename }: File): Form => {
  if (content instanceof Blob) {
    const form = new FormData()
    for (const [name, value] of fields) form.set(name, value)
    form.set('file', content, filename)
    return { body: form }
  }
  const boundary = `plumbline-${crypto.randomUUID()}`
  return {
    body: streamOf(encoded(fields, content, filename, boundary)),
    type: `multipart/form-data; boundary=${boundary}`,
  }
}
