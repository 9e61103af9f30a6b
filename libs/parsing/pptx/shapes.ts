import { numeral, paragraphBlock, type Block } from '../ooxml/blocks'
import { formula, inFont } from '../ooxml/formulas-and-symbols'
import { gridOf, tableBlocks, type GridCell } from '../tables/grid-to-markdown'
import { below, child, childrenOf, textBelow, type XmlNode } from '../ooxml/xml'
import type { OfficePackage } from '../ooxml/zip-parts'
import { markSuperscript, withSuperscripts } from '../superscript'

type Placeholder = { type: string; idx: string | undefined; shape: XmlNode }
/** `placeholders` contains the placeholders of the slide layout and then those of its master slide. */
export type Layout = { placeholders: Placeholder[][]; bodyStyle: XmlNode | undefined }

export const placeholderOf = (shape: XmlNode): Placeholder | undefined => {
  const mark = below(
    shape.children.find(({ name }) => name.startsWith('nv')),
    'ph',
  )[0]
  return mark && { type: mark.attributes['type'] ?? 'obj', idx: mark.attributes['idx'], shape }
}

const kin = (type: string): string =>
  type === 'ctrTitle'
    ? 'title'
    : ['obj', 'subTitle', 'tbl', 'chart', 'dgm', 'media', 'clipArt', 'pic'].includes(type)
      ? 'body'
      : type

const placeholdersIn = (part: XmlNode | undefined): Placeholder[] =>
  below(part, 'sp').flatMap((shape) => placeholderOf(shape) ?? [])

const related = (office: OfficePackage, path: string, wanted: string): string | undefined =>
  office.relations(path).find(({ type }) => type === wanted)?.target

/** Many slides share a layout, so each layout is read only once. */
export const layoutsOf = (office: OfficePackage): ((slide: string) => Layout) => {
  const read = new Map<string, Layout>()
  return (slide) => {
    const path = related(office, slide, 'slideLayout') ?? ''
    const known = read.get(path)
    if (known) return known
    const masterPath = related(office, path, 'slideMaster')
    const master = masterPath === undefined ? undefined : office.part(masterPath)
    const layout = {
      placeholders: [placeholdersIn(office.part(path)), placeholdersIn(master)],
      bodyStyle: child(master, 'txStyles', 'bodyStyle'),
    }
    read.set(path, layout)
    return layout
  }
}

export const behind = (shape: XmlNode, { placeholders: [own = [], master = []] }: Layout): XmlNode[] => {
  const mark = placeholderOf(shape)
  if (!mark) return [shape]
  const inLayout = own.find(({ idx, type }) =>
    mark.idx === undefined ? kin(type) === kin(mark.type) : idx === mark.idx,
  )
  const inMaster = master.find(({ type }) => kin(type) === kin(inLayout?.type ?? mark.type))
  return [shape, ...(inLayout ? [inLayout.shape] : []), ...(inMaster ? [inMaster.shape] : [])]
}

export const takesBodyStyle = (shape: XmlNode): boolean => kin(placeholderOf(shape)?.type ?? 'none') === 'body'

export type Box = { x: number; y: number; width: number; height: number }
type ShapeBox = { box: Box }

const start = { row: ({ box }: ShapeBox) => box.y, column: ({ box }: ShapeBox) => box.x }
const size = { row: ({ box }: ShapeBox) => box.height, column: ({ box }: ShapeBox) => box.width }
/** Separate frames may overlap by this share of their size, because frames are larger than their text. */
const overlap = 0.15

const cut = <T extends ShapeBox>(all: readonly T[], axis: 'row' | 'column'): T[][] => {
  const found: T[][] = []
  let end = -Infinity
  for (const one of [...all].sort((a, b) => start[axis](a) - start[axis](b))) {
    const room = size[axis](one) * overlap
    if (start[axis](one) + room >= end || found.length === 0) found.push([])
    found.at(-1)?.push(one)
    end = Math.max(end, start[axis](one) + size[axis](one))
  }
  return found
}

/** Joins rows of shapes with the same columns. They are read column by column, so a heading stays with its text. */
const withSharedColumns = <T extends ShapeBox>(bands: T[][]): T[][] =>
  bands.reduce<T[][]>((done, band) => {
    const before = done.at(-1)
    const columns = cut(band, 'column').length
    const shares =
      before &&
      columns > 1 &&
      cut(before, 'column').length === columns &&
      cut([...before, ...band], 'column').length === columns
    return shares ? [...done.slice(0, -1), [...before, ...band]] : [...done, band]
  }, [])

export const inReadingOrder = <T extends ShapeBox>(all: readonly T[]): T[] => {
  if (all.length < 2) return [...all]
  const bands = withSharedColumns(cut(all, 'row'))
  if (bands.length > 1) return bands.flatMap(inReadingOrder)
  const columns = cut(all, 'column')
  if (columns.length > 1) return columns.flatMap(inReadingOrder)
  return [...all].sort((a, b) => a.box.y - b.box.y || a.box.x - b.box.x)
}

const bullets = ['buNone', 'buChar', 'buBlip', 'buAutoNum']

const runText = (run: XmlNode): string => {
  const [text, format] = [child(run, 't')?.text ?? '', child(run, 'rPr')]
  const font = child(format, 'latin') ?? (/[A-Za-z]/.test(text) ? undefined : child(format, 'sym'))
  const shown = inFont(text, font?.attributes['typeface'])
  return Number.parseInt(format?.attributes['baseline'] ?? '', 10) > 0 ? markSuperscript(shown) : shown
}

const pieceText = (node: XmlNode): string => {
  switch (node.name) {
    case 'r':
      return runText(node)
    case 'fld':
      return node.attributes['type'] === 'slidenum' ? '' : (child(node, 't')?.text ?? '')
    case 'm':
      return node.children.map(formula).join('')
    case 'br':
      return '\n'
    default:
      return textBelow(node)
  }
}

const lineText = (paragraph: XmlNode): string =>
  withSuperscripts(paragraph.children.map(pieceText).join('')).replaceAll('\v', '\n')

export const plainText = (body: XmlNode | undefined): string =>
  childrenOf(body, 'p')
    .map(lineText)
    .filter((line) => line.trim() !== '')
    .join('\n')

const labelOf = (bullet: XmlNode, count: number): string => {
  const type = bullet.attributes['type'] ?? 'arabicPeriod'
  const number = numeral(Number(bullet.attributes['startAt'] ?? 1) + count - 1, type)
  return type.endsWith('ParenBoth')
    ? `(${number})`
    : type.endsWith('ParenR')
      ? `${number})`
      : type.endsWith('Plain')
        ? number
        : `${number}.`
}

/** If a paragraph has no bullet settings, the first entry of `styles` with such settings applies. */
export const textBlocks = (body: XmlNode | undefined, styles: readonly XmlNode[]): Block[] => {
  const counts: number[] = []
  const lines = childrenOf(body, 'p').map((paragraph): Block | undefined => {
    const text = lineText(paragraph)
    if (text.trim() === '') return undefined
    const own = child(paragraph, 'pPr')
    const level = Math.max(0, Math.min(8, Number(own?.attributes['lvl']) || 0))
    const bullet = [own, ...styles.map((style) => child(style, `lvl${level + 1}pPr`))].flatMap(
      (style) => style?.children.find(({ name }) => bullets.includes(name)) ?? [],
    )[0]
    counts.length = Math.min(counts.length, level + 1)
    if (!bullet || bullet.name === 'buNone') {
      counts.length = Math.min(counts.length, level)
      return paragraphBlock(text)
    }
    if (bullet.name !== 'buAutoNum') return { kind: 'item', level, text }
    counts[level] = (counts[level] ?? 0) + 1
    return { kind: 'item', level, text, label: labelOf(bullet, counts[level]) }
  })
  return lines.flatMap((line) => line ?? [])
}

const isTrue = (value: string | undefined): boolean => value === '1' || value === 'true'
const most = 1_000

const spanOf = (value: string | undefined, left: number): number =>
  Math.max(1, Math.min(Number(value) || 1, left, most))

/** Skips cells that a merged cell covers, because the file lists them too. */
export const tableText = (table: XmlNode, file: string): string => {
  const rows = childrenOf(table, 'tr').map((row) => childrenOf(row, 'tc'))
  const cells = rows.flatMap((row, at) =>
    row.flatMap((cell, column): GridCell[] => {
      const { attributes } = cell
      if (isTrue(attributes['hMerge']) || isTrue(attributes['vMerge'])) return []
      const text = plainText(child(cell, 'txBody'))
      return [
        {
          row: at,
          column,
          across: spanOf(attributes['gridSpan'], row.length - column),
          down: spanOf(attributes['rowSpan'], rows.length - at),
          text,
        },
      ]
    }),
  )
  return tableBlocks(gridOf(cells, file))
}
