import { LiteParse } from '@llamaindex/liteparse'
import sharp, { type Sharp } from 'sharp'
import { compressPixels, picturePdf } from '../ocr/picture-pdf'
import { writePdf, type Sheet } from './written-pdf'

/** The usual resolution of the scans. */
const dpi = 200

export const drawn = async (sheet: Sheet, dots = dpi): Promise<Sharp> => {
  const [picture] = await new LiteParse({ dpi: dots, quiet: true }).screenshot(Buffer.from(writePdf([sheet])), [1])
  if (!picture) throw new Error('the sheet was not drawn')
  return sharp(picture.imageBuffer).flatten({ background: 'white' }).grayscale()
}

/** The noise is the same in each run, so that specs are repeatable. */
const noisy = (pixels: Buffer): Buffer => {
  let state = 7
  return pixels.map((pixel) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.max(0, Math.min(255, pixel * 0.85 + 20 + (state / 2_147_483_648 - 0.5) * 60))
  }) as Buffer
}

export const photographed = async (picture: Sharp, degrees = 1.5): Promise<Sharp> => {
  const askew = await picture.rotate(degrees, { background: 'white' }).png().toBuffer()
  const { data, info } = await sharp(askew).grayscale().raw().toBuffer({ resolveWithObject: true })
  return sharp(noisy(data), { raw: { width: info.width, height: info.height, channels: 1 } })
}

export const scanned = async (pictures: readonly Sharp[]): Promise<Uint8Array> =>
  picturePdf(
    await Promise.all(
      pictures.map(async (picture) => {
        const { data, info } = await picture.grayscale().raw().toBuffer({ resolveWithObject: true })
        return {
          packed: compressPixels(data),
          width: info.width,
          height: info.height,
          page: { width: (info.width * 72) / dpi, height: (info.height * 72) / dpi },
        }
      }),
    ),
  )

const receiptLines = [
  'HARBOUR GROCERY',
  '14 Quay Street, Bristol',
  'Date: 12 March 2024',
  'Oat milk carton',
  'Rye bread',
  'Cheddar cheese',
  'Ground coffee',
  'Olive oil',
  'Subtotal',
  'VAT included',
  'TOTAL',
  'Card ending 4471',
]
const prices = ['', '', '', '2.35', '3.10', '4.75', '6.90', '8.25', '25.35', '4.23', '25.35', '']

export const receiptWords = [...receiptLines.join(' ').split(' '), ...prices.filter((price) => price !== '')]

export const receipt: Sheet = {
  put: receiptLines.flatMap((text, index) => [
    { text, x: 150, y: 100 + index * 30, size: 15, font: 'mono' as const },
    ...(prices[index] ? [{ text: prices[index], x: 380, y: 100 + index * 30, size: 15, font: 'mono' as const }] : []),
  ]),
}

export const unreadable = (): Sharp =>
  sharp(noisy(Buffer.alloc(425 * 550, 128)), { raw: { width: 425, height: 550, channels: 1 } }).blur(6)

/** The font of `lines` does not state which characters it draws. */
export const nameless = (plain: string, lines: readonly string[]): Uint8Array => {
  const letters = [...new Set(lines.join(''))]
  const name = (index: number): string => `d${String(index)}`
  const code = (index: number): string => (index + 1).toString(16).padStart(2, '0')
  const glyph = (letter: string): string =>
    `600 0 d0 BT /F 1000 Tf 1 0 0 1 0 0 Tm (${letter.replace(/[\\()]/g, '\\$&')}) Tj ET`
  const stream = (content: string): string => `<< /Length ${String(content.length)} >>\nstream\n${content}\nendstream`
  const shown = lines.map((line, index) => {
    const codes = [...line].map((letter) => code(letters.indexOf(letter))).join('')
    return `BT /T 10 Tf 1 0 0 1 72 ${String(680 - index * 16)} Tm <${codes}> Tj ET`
  })
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /T 5 0 R /F 6 0 R >> >> /Contents 4 0 R >>',
    stream([`BT /F 10 Tf 1 0 0 1 72 696 Tm (${plain}) Tj ET`, ...shown].join('\n')),
    `<< /Type /Font /Subtype /Type3 /FontBBox [0 -250 1000 1000] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 1 /LastChar ${String(letters.length)} /Widths [${letters.map(() => '600').join(' ')}] /Resources << /Font << /F 6 0 R >> >> /Encoding << /Type /Encoding /Differences [1 ${letters.map((_, index) => `/${name(index)}`).join(' ')}] >> /CharProcs << ${letters.map((_, index) => `/${name(index)} ${String(7 + index)} 0 R`).join(' ')} >> >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>',
    ...letters.map((letter) => stream(glyph(letter))),
  ]
  let body = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const at = body.length
    body += `${String(index + 1)} 0 obj\n${object}\nendobj\n`
    return at
  })
  const size = String(objects.length + 1)
  return Buffer.from(
    `${body}xref\n0 ${size}\n0000000000 65535 f \n${offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${String(body.length)}\n%%EOF\n`,
    'latin1',
  )
}
