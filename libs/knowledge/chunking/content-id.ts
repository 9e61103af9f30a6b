const mix = (text: string, seed: number): [number, number] => {
  let a = 0xdeadbeef ^ seed
  let b = 0x41c6ce57 ^ seed
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    a = Math.imul(a ^ unit, 2654435761)
    b = Math.imul(b ^ unit, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return [a >>> 0, b >>> 0]
}

/** 128 bits of the text, as 32 hex digits: the same text has the same id wherever and whenever it is read. Guards against chance, not malice. */
export const contentId = (text: string): string =>
  [...mix(text, 0), ...mix(text, 0x9e3779b9)].map((half) => half.toString(16).padStart(8, '0')).join('')
