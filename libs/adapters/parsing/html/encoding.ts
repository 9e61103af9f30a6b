import { decoded } from '../decode'

const declared =
  /<meta[^>]{0,300}?charset\s*=\s*["']?\s*([\w:.-]{1,40})|^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w:.-]{1,40})/i

const decoderOf = (label: string): TextDecoder | null => {
  try {
    return new TextDecoder(label, { fatal: true })
  } catch {
    return null
  }
}

/** As its mark, then as UTF-8 where it is valid, then as what it says of itself: pages often say another encoding than they have. */
export const pageText = (bytes: Uint8Array): string => {
  const marked = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  const head = marked ? '' : new TextDecoder('latin1').decode(bytes.subarray(0, 4_096))
  const [, meta, xml] = declared.exec(head) ?? []
  for (const decoder of ['utf-8', ...(meta || xml ? [meta ?? xml ?? ''] : [])].map(decoderOf)) {
    try {
      const text = marked ? undefined : decoder?.decode(bytes)
      if (text !== undefined && !text.includes('\0')) return text
    } catch {
      continue
    }
  }
  return decoded(bytes)
}
