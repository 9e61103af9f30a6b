export type Message = { id: string | undefined; data: string }

/** Server-sent events out of a stream of bytes, however it was cut into chunks. A comment comes out as a message without data. */
export async function* messages(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Message> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true })
    const blocks = rest.split(/\r\n\r\n|\n\n/)
    rest = blocks.pop() ?? ''
    for (const block of blocks) yield messageOf(block)
  }
}

const fieldsOf = (block: string, field: string): string[] =>
  block
    .split(/\r?\n/)
    .flatMap((line) => (line.startsWith(`${field}:`) ? [line.slice(field.length + 1).replace(/^ /, '')] : []))

const messageOf = (block: string): Message => ({
  id: fieldsOf(block, 'id').at(-1),
  data: fieldsOf(block, 'data').join('\n'),
})
