export const utf32 = (text: string, encoding: string): Buffer => {
  const points = [0xfeff, ...Array.from(text, (sign) => sign.codePointAt(0) ?? 0)]
  const bytes = Buffer.alloc(points.length * 4)
  for (const [at, point] of points.entries())
    if (encoding === 'utf-32le') bytes.writeUInt32LE(point, at * 4)
    else bytes.writeUInt32BE(point, at * 4)
  return bytes
}
