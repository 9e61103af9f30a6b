import type { Block } from '../ooxml'
import { formula, inFont, numeral, prose } from '../ooxml'
import { markRaised, settleRaised } from '../raised'
import type { XmlNode } from '../xml'
import { below, child, childrenOf } from '../xml'

const bullets = ['buNone', 'buChar', 'buBlip', 'buAutoNum']

const runText = (run: XmlNode): string => {
  const [text, format] = [child(run, 't')?.text ?? '', child(run, 'rPr')]
  const font = child(format, 'latin') ?? (/[A-Za-z]/.test(text) ? undefined : child(format, 'sym'))
  const shown = inFont(text, font?.attributes['typeface'])
  return Number.parseInt(format?.attributes['baseline'] ?? '', 10) > 0 ? markRaised(shown) : shown
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
      return below(node, 't')
        .map(({ text }) => text)
        .join('')
  }
}

const lineText = (paragraph: XmlNode): string =>
  settleRaised(paragraph.children.map(pieceText).join('')).replaceAll('\v', '\n')

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

/** The paragraphs of a text frame; a bullet that a paragraph does not have itself is looked for in `styles`, the nearest first. */
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
      return prose(text)
    }
    if (bullet.name !== 'buAutoNum') return { kind: 'item', level, text }
    counts[level] = (counts[level] ?? 0) + 1
    return { kind: 'item', level, text, label: labelOf(bullet, counts[level]) }
  })
  return lines.flatMap((line) => line ?? [])
}
