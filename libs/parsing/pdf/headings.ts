import { isCaption } from './line-text'
import { mainStyle, type Block, type Style } from './page'

type Text = Extract<Block, { kind: 'text' }>
type Set = Extract<Block, { kind: 'text' | 'list' }>

const isText = (block: Block): block is Text => block.kind === 'text'
const isSet = (block: Block): block is Set => block.kind === 'text' || block.kind === 'list'

const bodyStyle = (blocks: readonly Block[]): Style =>
  mainStyle(blocks.filter(isSet).flatMap(({ lines }) => lines.flatMap(({ segments }) => segments)))

const numbered =
  /^(?:(?:chapter|section|part|appendix)\s+)?(?:\d{1,2}(?:\.\d{1,2}){0,4}|[A-Z](?:\.\d{1,2})+|[IVX]{1,5})\.?\s+\p{Lu}/iu

const isHeading = ({ kind, text, lines, size, bold }: Set, body: Style): boolean => {
  if (kind === 'list' && !numbered.test(text)) return false
  if (lines.length > 3 || text.length > 160 || !/\p{L}{2}/u.test(text) || isCaption(text)) return false
  const larger = size > 1.12 * body.size
  if (larger) return !/[.;,]$/.test(text) || text.length < 60
  if (!bold || body.bold || size < 0.92 * body.size || lines.length > 2) return false
  return lines.every((line) => line.bold) && (numbered.test(text) || !/[.;:,]$/.test(text)) && text.length <= 120
}

/** The deepest heading level. Deeper levels would differ too little in font size. */
const deepest = 4

const sizesOf = (headings: readonly Set[], body: Style): number[] => {
  const sizes = [...new Set(headings.map(({ size }) => Math.max(size, body.size)))].sort((a, b) => b - a)
  return sizes.reduce<number[]>(
    (apart, size) => ((apart.at(-1) ?? Infinity) / size > 1.1 ? [...apart, size] : apart),
    [],
  )
}

export const titleOf = (pages: readonly Block[][]): Text | undefined => {
  const first = pages.find((blocks) => blocks.some((block) => isText(block) && block.level !== undefined)) ?? []
  const headings = first.filter(isText).filter(({ level }) => level !== undefined)
  return headings.find(({ size }) => headings.every((other) => other.size <= 1.25 * size))
}

export const withHeadings = (pages: readonly Block[][]): Block[][] => {
  const body = bodyStyle(pages.flat())
  const heading = (block: Block): block is Set => isSet(block) && isHeading(block, body)
  const sizes = sizesOf(pages.flat().filter(heading), body)
  const levelOf = ({ size }: Set): number =>
    Math.max(
      1,
      sizes.filter((one) => one >= Math.max(size, body.size) * 0.999).length - Math.max(0, sizes.length - deepest),
    )
  const levelled = pages.map((blocks) =>
    blocks.map((block): Block =>
      heading(block) ? ({ ...block, kind: 'text', level: levelOf(block) } satisfies Text) : block,
    ),
  )
  const title = titleOf(levelled.slice(0, 1))
  if (title) title.level = 1
  return levelled
}
