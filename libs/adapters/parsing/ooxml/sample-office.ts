import { strToU8, zipSync } from 'fflate'

/** Small Office files made by hand, for specs: real bytes, and as little in them as a reader needs. */
const officeNames =
  'xmlns:w="w" xmlns:w14="w14" xmlns:wp="wp" xmlns:wps="wps" xmlns:mc="mc" xmlns:m="m" xmlns:v="v" xmlns:a="a" xmlns:p="p" xmlns:c="c" xmlns:r="r" xmlns:dgm="dgm"'

export type Pointer = { id: string; type: string; target: string; external?: boolean }

export const relationsXml = (pointers: readonly Pointer[]): string =>
  `<Relationships>${pointers
    .map(
      ({ id, type, target, external }) =>
        `<Relationship Id="${id}" Type="http://x/relationships/${type}" Target="${target}"${external ? ' TargetMode="External"' : ''}/>`,
    )
    .join('')}</Relationships>`

export const zipped = (parts: Record<string, string>): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([path, text]) => [path, strToU8(text)])))

const officeFile = (main: string, parts: Record<string, string>): Uint8Array =>
  zipped({
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': relationsXml([{ id: 'rId1', type: 'officeDocument', target: main }]),
    ...parts,
  })

const root = (name: string, inside: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><${name} ${officeNames}>${inside}</${name}>`

/** Parts beside the text, by the kind of relation that points to them. */
export const docxOf = (
  body: string,
  beside: Record<string, string> = {},
  pointers: readonly Pointer[] = [],
): Uint8Array => {
  const own = Object.keys(beside).map((type): Pointer => ({ id: `own-${type}`, type, target: `${type}.xml` }))
  return officeFile('word/document.xml', {
    'word/document.xml': root('w:document', `<w:body>${body}</w:body>`),
    'word/_rels/document.xml.rels': relationsXml([...own, ...pointers]),
    ...Object.fromEntries(
      Object.entries(beside).map(([type, inside]) => [`word/${type}.xml`, root(`w:${type}`, inside)]),
    ),
  })
}

export type SampleSheet = { name: string; rows: string; merges?: string[]; state?: string }

export const xlsxOf = (
  sheets: readonly SampleSheet[],
  { styles = '', strings = '', parts = {} }: { styles?: string; strings?: string; parts?: Record<string, string> } = {},
): Uint8Array => {
  const listed = sheets.map(
    ({ name, state }, at) =>
      `<sheet name="${name}" sheetId="${at + 1}" ${state ? `state="${state}"` : ''} r:id="rId${at + 1}"/>`,
  )
  const pointers = sheets.map((_, at): Pointer => ({
    id: `rId${at + 1}`,
    type: 'worksheet',
    target: `worksheets/sheet${at + 1}.xml`,
  }))
  const merged = (merges: string[] = []) => merges.map((ref) => `<mergeCell ref="${ref}"/>`).join('')
  return officeFile('xl/workbook.xml', {
    'xl/workbook.xml': root('workbook', `<sheets>${listed.join('')}</sheets>`),
    'xl/_rels/workbook.xml.rels': relationsXml([
      ...pointers,
      { id: 'st', type: 'styles', target: 'styles.xml' },
      { id: 'ss', type: 'sharedStrings', target: '/xl/sharedStrings.xml' },
    ]),
    'xl/styles.xml': root('styleSheet', styles),
    'xl/sharedStrings.xml': root('sst', strings),
    ...Object.fromEntries(
      sheets.map(({ rows, merges }, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        root('worksheet', `<sheetData>${rows}</sheetData><mergeCells>${merged(merges)}</mergeCells>`),
      ]),
    ),
    ...parts,
  })
}

/** Rows of a sheet from texts and numbers; `null` is an empty cell. */
export const sheetRows = (
  rows: readonly (readonly (string | number | null)[])[],
  formats: readonly number[] = [],
): string =>
  rows
    .map((row, at) => {
      const cells = row.map((value, column) => {
        const place = `${String.fromCharCode(65 + column)}${at + 1}`
        if (value === null) return ''
        return typeof value === 'number'
          ? `<c r="${place}" s="${formats[column] ?? 0}"><v>${value}</v></c>`
          : `<c r="${place}" t="inlineStr"><is><t>${value}</t></is></c>`
      })
      return `<row r="${at + 1}">${cells.join('')}</row>`
    })
    .join('')

export const pptxOf = (
  slides: readonly string[],
  parts: Record<string, string> = {},
  pointers: readonly Pointer[] = [],
): Uint8Array => {
  const paths = slides.map((_, at) => `ppt/slides/slide${at + 1}.xml`)
  return officeFile('ppt/presentation.xml', {
    'ppt/presentation.xml': root(
      'p:presentation',
      `<p:sldIdLst>${slides.map((_, at) => `<p:sldId id="${256 + at}" r:id="rId${at}"/>`).join('')}</p:sldIdLst>`,
    ),
    'ppt/_rels/presentation.xml.rels': relationsXml(
      slides.map((_, at) => ({ id: `rId${at}`, type: 'slide', target: `slides/slide${at + 1}.xml` })),
    ),
    ...Object.fromEntries(
      paths.map((path, at) => [path, root('p:sld', `<p:cSld><p:spTree>${slides[at] ?? ''}</p:spTree></p:cSld>`)]),
    ),
    ...Object.fromEntries(
      paths.map((path) => [path.replace('slides/', 'slides/_rels/').concat('.rels'), relationsXml(pointers)]),
    ),
    ...Object.fromEntries(
      Object.entries(parts).map(([path, inside]) => [
        path,
        root('x', inside).replaceAll(/<(\/?)x(?=[ >])/g, '<$1root'),
      ]),
    ),
  })
}
