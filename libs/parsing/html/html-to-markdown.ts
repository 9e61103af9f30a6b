import { fencedCode, escapedHeading, markdownTable, paragraph } from '../write-markdown'
import { spanOf, tableBlocks } from '../tables/grid-to-markdown'
import { holdsBlock, isElement, isHidden, isText, nameOf, openFragment, openHtml, visibleChildren } from './dom'
import { inlineText, type Style } from './inline-text'
import { cellsOf, gridOf, rowsOf } from './table-grid'

/** The kind `text` is a paragraph, and the kind `item` is a list item or a part of a list item. */
export type MarkdownPart = { kind: 'text' | 'item' | 'block'; text: string }

/** List items are indented by at most this number of levels. Otherwise, deep lists would consist mostly of spaces. */
const deepest = 8
const indent = (depth: number): string => '    '.repeat(Math.min(depth, deepest))

const itemOf = (pieces: readonly MarkdownPart[], marker: string, depth: number): MarkdownPart[] => {
  const [first] = pieces
  const opening: MarkdownPart[] = first?.kind === 'text' ? [] : [{ kind: 'text', text: '' }]
  const all = first?.kind === 'item' ? pieces : [...opening, ...pieces]
  const below = `${indent(depth)}${' '.repeat(marker.length + 1)}`
  return all
    .map((piece, at): MarkdownPart => {
      if (piece.kind !== 'text') return piece
      const lines = piece.text.split('\n').join(`\n${below}`)
      return { kind: 'item', text: at === 0 ? `${indent(depth)}${marker} ${lines}`.trimEnd() : below + lines }
    })
    .filter(({ text }) => text.trim() !== marker)
}

export const joinParts = (pieces: readonly MarkdownPart[]): string =>
  pieces
    .map(({ kind, text }, at) =>
      at === 0 ? text : `${kind === 'item' && pieces[at - 1]?.kind === 'item' ? '\n' : '\n\n'}${text}`,
    )
    .join('')

const languageClass = /(?:^|\s)(?:lang(?:uage)?|highlight-source|brush:?|sourceCode)[-\s:]+([\w+#.-]{1,30})/i

const languageOf = (pre: Element): string => {
  const places = [pre, pre.querySelector('code'), pre.parentElement].filter((place) => place !== null)
  const told = places.map(
    (place) => place.getAttribute('data-lang') ?? languageClass.exec(place.getAttribute('class') ?? '')?.[1] ?? '',
  )
  return told.find((name) => /^[\w+#.-]+$/.test(name)) ?? ''
}

const linesOf = (node: Node): string => {
  if (isText(node)) return node.data
  if (!isElement(node) || isHidden(node)) return ''
  return nameOf(node) === 'br' ? '\n' : [...node.childNodes].map(linesOf).join('')
}

const codeOf = (pre: Element, style: Style): MarkdownPart[] => {
  const code = [...pre.childNodes].map(linesOf).join('').replace(/\r\n?/g, '\n')
  if (code.trim() === '') return []
  return style.flat
    ? [{ kind: 'text', text: code.trim() }]
    : [{ kind: 'block', text: fencedCode(code, languageOf(pre)) }]
}

const flat: Style = { marks: false, flat: true }

const oneLine = (element: Element): string =>
  piecesOf(element, 0, flat)
    .map(({ text }) => text.replace(/\s+/g, ' ').trim())
    .join(' ')

const items = (list: Element, depth: number, style: Style): MarkdownPart[] => {
  const ordered = nameOf(list) === 'ol'
  let number = Number.parseInt(list.getAttribute('start') ?? '1', 10) || 0
  return visibleChildren(list).flatMap((child): MarkdownPart[] => {
    if (nameOf(child) !== 'li')
      return ['ul', 'ol'].includes(nameOf(child)) ? items(child, depth + 1, style) : piecesOf(child, depth, style)
    number = Number.parseInt(child.getAttribute('value') ?? '', 10) || number
    const marker = ordered ? `${number}.` : '-'
    number += 1
    return itemOf(piecesOf(child, depth + 1, style), marker, depth)
  })
}

const descriptions = (list: Element, depth: number, style: Style): MarkdownPart[] =>
  visibleChildren(list).flatMap((child): MarkdownPart[] => {
    const name = nameOf(child)
    if (name !== 'dt' && name !== 'dd') return descriptions(child, depth, style)
    if (name === 'dd') return itemOf(piecesOf(child, depth + 2, style), '-', depth + 1)
    const term = inlineText(child.childNodes, { marks: false, flat: true })
    return itemOf([{ kind: 'text', text: style.marks && term !== '' ? `**${term}**` : term }], '-', depth)
  })

const isSection = (cell: Element): boolean => {
  const heading = cell.querySelector('h1, h2, h3')
  return heading !== null && cell.textContent.length > heading.textContent.length + 120
}

const isLayout = (table: Element): boolean => {
  const role = table.getAttribute('role')
  if (role === 'presentation' || role === 'none') return true
  const cells = rowsOf(table).map(({ element }) => cellsOf(element))
  const all = cells.flat()
  if (all.length < 2) return true
  if (
    all.some((cell) => nameOf(cell) === 'th') ||
    visibleChildren(table).some((child) => ['caption', 'thead'].includes(nameOf(child)))
  )
    return false
  const oneLineOfCells = cells.length === 1 || cells.every((row) => row.length < 2)
  const named = all.filter((cell) => cell.querySelector('h1') !== null).length === 1
  return (
    named ||
    all.some(isSection) ||
    (oneLineOfCells && all.some((cell) => cell.querySelector('table, h4, p + p, ul, ol') !== null))
  )
}

const table = (element: Element, depth: number, style: Style): MarkdownPart[] => {
  const cells = rowsOf(element).flatMap((row) => cellsOf(row.element))
  if (style.flat) return cells.map((cell) => ({ kind: 'text', text: oneLine(cell) }))
  const captions = visibleChildren(element).filter((child) => nameOf(child) === 'caption')
  const above = captions.flatMap((caption) => piecesOf(caption, depth, style))
  if (isLayout(element)) return [...above, ...cells.flatMap((cell) => piecesOf(cell, depth, style))]
  const { rows, merged, headRows, title } = gridOf(element, oneLine)
  if (title !== '') above.push({ kind: 'text', text: paragraph(title) })
  if (rows.length === 0) return above
  return [
    ...above,
    {
      kind: 'block',
      text: headRows > 0 ? markdownTable(rows, headRows, merged.map(spanOf)) : tableBlocks({ rows, merged }),
    },
  ]
}

const figure = (element: Element, depth: number, style: Style): MarkdownPart[] => {
  const isCaption = (child: Element): boolean => nameOf(child) === 'figcaption'
  const captions = visibleChildren(element).filter(isCaption)
  if (element.querySelector('table') === null || captions.length === 0)
    return contents(element.childNodes, depth, style)
  const others = [...element.childNodes].filter((child) => !(isElement(child) && isCaption(child)))
  return [...captions.flatMap((caption) => piecesOf(caption, depth, style)), ...contents(others, depth, style)]
}

const blockPieces = (element: Element, depth: number, style: Style): MarkdownPart[] => {
  const name = nameOf(element)
  if (/^h[1-6]$/.test(name)) {
    const text = inlineText(element.childNodes, flat)
    return text === ''
      ? []
      : [
          style.flat
            ? { kind: 'text', text }
            : { kind: 'block', text: `${'#'.repeat(Number(name.charAt(1)))} ${escapedHeading(text)}` },
        ]
  }
  if (name === 'ul' || name === 'ol' || name === 'menu' || name === 'dir') return items(element, depth, style)
  if (name === 'dl') return descriptions(element, depth, style)
  if (name === 'pre') return codeOf(element, style)
  if (name === 'table') return table(element, depth, style)
  if (name === 'figure') return figure(element, depth, style)
  return contents(element.childNodes, depth, style)
}

const contents = (nodes: Iterable<Node>, depth: number, style: Style): MarkdownPart[] => {
  const pieces: MarkdownPart[] = []
  let run: Node[] = []
  const flush = () => {
    const text = inlineText(run, style)
    if (text !== '') pieces.push({ kind: 'text', text: style.flat ? text : paragraph(text) })
    run = []
  }
  for (const node of nodes) {
    if (isElement(node) && isHidden(node)) continue
    if (isElement(node) && holdsBlock(node)) {
      flush()
      for (const piece of blockPieces(node, depth, style)) pieces.push(piece)
    } else run.push(node)
  }
  flush()
  return pieces
}

const piecesOf = (element: Element, depth: number, style: Style): MarkdownPart[] =>
  contents(element.childNodes, depth, style)

export const markdownOf = (root: Element | DocumentFragment): string =>
  joinParts(contents(root.childNodes, 0, { marks: true, flat: false }))

export const htmlToMarkdown = (html: string): string =>
  markdownOf(/<(?:html|body|head)(?=[\s>])/i.test(html) ? openHtml(html).body : openFragment(html))
