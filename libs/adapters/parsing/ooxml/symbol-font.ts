const letters = (from: number, signs: string): [number, string][] => [...signs].map((sign, at) => [from + at, sign])

const symbol = new Map([
  ...letters(0x41, 'ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ'),
  ...letters(0x61, 'αβχδεφγηιϕκλμνοπθρστυϖωξψζ'),
  ...letters(0xa2, '′≤⁄∞'),
  ...letters(0xab, '↔←↑→↓°±″≥×∝∂•÷≠≡≈…'),
  ...letters(0xc7, '∩∪⊃⊇⊄⊂⊆∈∉'),
  ...letters(0xd5, '∏√⋅¬∧∨⇔⇐⇑⇒⇓'),
  ...letters(0x2d, '−'),
  ...letters(0x40, '≅'),
  ...letters(0x5e, '⊥'),
  ...letters(0x7e, '∼'),
  ...letters(0x22, '∀'),
  ...letters(0x24, '∃'),
  ...letters(0xd1, '∇'),
  ...letters(0xe5, '∑'),
  ...letters(0xf2, '∫'),
])
const wingdings = new Map([
  [0x6f, '☐'],
  [0xa8, '☐'],
  [0xfe, '☑'],
  [0xfd, '☒'],
  [0xfc, '✓'],
  [0xfb, '✗'],
  [0xb7, '•'],
  [0xa7, '▪'],
  [0xd8, '➢'],
  [0xdf, '←'],
  [0xe0, '→'],
  [0xe1, '↑'],
  [0xe2, '↓'],
  [0xe8, '→'],
  [0xf0, '⇨'],
])

const low = (sign: string): number => sign.charCodeAt(0) & 0xff

/** Text as it looks in its font: a symbol font has Greek letters and signs where others have Latin ones, or keeps them in the private area. */
export const inFont = (text: string, font = ''): string => {
  if (/^symbol\b/i.test(font))
    return text.replace(
      /[\x21-\xff\uf020-\uf0ff]/g,
      (sign) => symbol.get(low(sign)) ?? (low(sign) < 0x7f ? String.fromCharCode(low(sign)) : ''),
    )
  if (!/^wingdings/i.test(font)) return text
  // A letter with an accent that stands alone is a sign; among others it may be a letter all the same.
  const signs = /^\s*[\x80-\xff]\s*$/.test(text) ? /[\x80-\xff]/g : /[\uf020-\uf0ff]/g
  return text.replace(signs, (sign) => wingdings.get(low(sign)) ?? '')
}
