/** `y` is the distance from the page top to the baseline in points. `x` is the edge or center that `align` names. */
export type Put = {
  text: string
  x: number
  y: number
  size?: number
  font?: 'plain' | 'bold' | 'mono'
  align?: 'left' | 'right' | 'middle'
  upwards?: boolean
}
type Draw = { x1: number; y1: number; x2: number; y2: number }
export type Sheet = { put: Put[]; draw?: Draw[] }

const height = 792
const fonts = { plain: 'Helvetica', bold: 'Helvetica-Bold', mono: 'Courier' }

/** Returns the approximate width in Helvetica, which is precise enough to align text. */
const widthOf = ({ text, size = 10, font = 'plain' }: Put): number => {
  const letter = (one: string): number =>
    /[ijl.,:;'|!]/.test(one)
      ? 250
      : /[frt ()\-[\]]/.test(one)
        ? 310
        : /[mwMW%]/.test(one)
          ? 850
          : /[A-Z]/.test(one)
            ? 690
            : 556
  return ([...text].reduce((total, one) => total + (font === 'mono' ? 600 : letter(one)), 0) * size) / 1000
}

const shown = (put: Put): string => {
  const { text, x, y, size = 10, font = 'plain', align = 'left', upwards = false } = put
  const from = align === 'right' ? x - widthOf(put) : align === 'middle' ? x - widthOf(put) / 2 : x
  return `BT /${font} ${String(size)} Tf ${upwards ? '0 1 -1 0' : '1 0 0 1'} ${from.toFixed(2)} ${(height - y).toFixed(2)} Tm (${text.replace(/[\\()]/g, '\\$&')}) Tj ET`
}

const drawn = ({ x1, y1, x2, y2 }: Draw): string =>
  `0.5 w ${String(x1)} ${String(height - y1)} m ${String(x2)} ${String(height - y2)} l S`

const xmpOf = (title: string): string =>
  `<x:xmpmeta><dc:title><rdf:Alt><rdf:li xml:lang="x-default">${title}</rdf:li></rdf:Alt></dc:title></x:xmpmeta>`

export const writePdf = (sheets: readonly Sheet[], title?: string): Uint8Array => {
  const fontNumber = (index: number): number => 3 + index
  const pageNumber = (index: number): number => 6 + index * 2
  const resources = Object.keys(fonts).map((name, index) => `/${name} ${String(fontNumber(index))} 0 R`)
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R ${title === undefined ? '' : `/Metadata ${String(pageNumber(sheets.length))} 0 R `}>>`,
    `<< /Type /Pages /Count ${String(sheets.length)} /Kids [${sheets.map((_, index) => `${String(pageNumber(index))} 0 R`).join(' ')}] >>`,
    ...Object.values(fonts).map(
      (name) => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`,
    ),
    ...sheets.flatMap(({ put, draw = [] }, index) => {
      const content = [...put.map(shown), ...draw.map(drawn)].join('\n')
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << ${resources.join(' ')} >> >> /Contents ${String(pageNumber(index) + 1)} 0 R >>`,
        `<< /Length ${String(Buffer.byteLength(content, 'latin1'))} >>\nstream\n${content}\nendstream`,
      ]
    }),
    ...(title === undefined
      ? []
      : [
          `<< /Type /Metadata /Subtype /XML /Length ${String(xmpOf(title).length)} >>\nstream\n${xmpOf(title)}\nendstream`,
        ]),
  ]
  const offsets: number[] = []
  let body = '%PDF-1.4\n'
  objects.forEach((object, index) => {
    offsets.push(body.length)
    body += `${String(index + 1)} 0 obj\n${object}\nendobj\n`
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = String(objects.length + 1)
  return Buffer.from(
    `${body}xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${String(body.length)}\n%%EOF\n`,
    'latin1',
  )
}

export const drawing: Sheet = { put: [], draw: [{ x1: 100, y1: 100, x2: 400, y2: 300 }] }

export const rowsAt = (
  rows: readonly string[][],
  xs: readonly number[],
  y: number,
  step = 14,
  more: Partial<Put> = {},
): Put[] =>
  rows.flatMap((row, index) =>
    row.flatMap((text, column) => (text === '' ? [] : [{ text, x: xs[column] ?? 0, y: y + index * step, ...more }])),
  )

export const prose = (lines: readonly string[], x: number, y: number, step = 12): Put[] =>
  lines.map((text, index) => ({ text, x, y: y + index * step }))
