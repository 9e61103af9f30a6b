import type { Block, Style } from './page'
import { mainStyle } from './page'
import { isCaption } from './paragraphs'

type Text = Extract<Block, { kind: 'text' }>

const isText = (block: Block): block is Text => block.kind === 'text'

/** The style most of the running text is set in. */
export const bodyStyle = (blocks: readonly Block[]): Style => mainStyle(blocks.filter(isText).flatMap(({ lines }) => lines.flatMap(({ segments }) => segments)))

const numbered = /^(?:(?:chapter|section|part|appendix)\s+)?(?:\d{1,2}(?:\.\d{1,2}){0,4}|[A-Z](?:\.\d{1,2})+|[IVX]{1,5})\.?\s+\p{Lu}/iu

const isHeading = ({ text, lines, size, bold }: Text, body: Style): boolean => {
  if (lines.length > 3 || text.length > 160 || !/\p{L}{2}/u.test(text) || isCaption(text)) return false
  const larger = size > 1.12 * body.size
  if (larger) return !/[.;,]$/.test(text) || text.length < 60
  if (!bold || body.bold || size < 0.92 * body.size || lines.length > 2) return false
  return lines.every((line) => line.bold) && (numbered.test(text) || !/[.;:,]$/.test(text)) && text.length <= 120
}

/** Text set larger or bolder than the body, as headings: the larger the higher, bold of the body's size lowest. */
export const withHeadings = (pages: readonly Block[][]): Block[][] => {
  const body = bodyStyle(pages.flat())
  const heading = (block: Block): block is Text => isText(block) && isHeading(block, body)
  const rank = ({ size, bold }: Text): number => Math.round(size * 2) + (bold ? 0.5 : 0)
  const ranks = [...new Set(pages.flat().filter(heading).map(rank))].sort((a, b) => b - a)
  const apart = ranks.filter((one, index) => index === 0 || (ranks[index - 1] ?? 0) - one >= 1)
  const levelOf = (block: Text): number => Math.min(6, Math.max(1, apart.filter((one) => one >= rank(block)).length))
  return pages.map((blocks) => blocks.map((block) => (heading(block) ? { ...block, level: levelOf(block) } : block)))
}
