import { memo, useEffect, useMemo, useRef } from 'react'
import { Prose } from './markdown'
import { alignNumbers, type HtmlNode, markCells } from './table-marks'

type TextRange = readonly [from: number, to: number]

const text = (value: string): HtmlNode => ({ type: 'text', value })
const mark = (value: string): HtmlNode => ({
  type: 'element',
  tagName: 'mark',
  properties: {},
  children: [text(value)],
})

/** Splits a text node at the marks. A node with escaped characters stays whole, because its offsets differ. */
const split = (node: HtmlNode, marks: readonly TextRange[]): HtmlNode[] => {
  const { value = '', position } = node
  const [start, end] = [position?.start.offset ?? 0, position?.end.offset ?? 0]
  if (end - start !== value.length) return [node]
  const pieces: HtmlNode[] = []
  let at = 0
  for (const [from, to] of marks) {
    const [first, last] = [Math.max(from - start, at), Math.min(to - start, value.length)]
    if (first >= last) continue
    if (first > at) pieces.push(text(value.slice(at, first)))
    pieces.push(mark(value.slice(first, last)))
    at = last
  }
  return at === 0 ? [node] : [...pieces, ...(at < value.length ? [text(value.slice(at))] : [])]
}

const markIn = (node: HtmlNode, marks: readonly TextRange[]): void => {
  node.children = node.children?.flatMap((child) => (child.type === 'text' ? split(child, marks) : [child]))
  for (const child of node.children ?? []) if (child.tagName !== 'mark') markIn(child, marks)
}

type MarkedProps = {
  text: string
  marks: readonly TextRange[]
  /** The statement for which the marked text is the evidence. */
  claim: string
  /** True if the text is in a panel of its own. The panel then scrolls to the mark. */
  fills?: boolean
}

export const MarkedProse = memo(({ text, marks, claim, fills = false }: MarkedProps) => {
  const place = useRef<HTMLDivElement>(null)
  const plugins = useMemo(
    () => [
      alignNumbers,
      () => (tree: HtmlNode) => {
        markIn(tree, marks)
        markCells(tree, claim)
      },
    ],
    [marks, claim],
  )
  useEffect(() => {
    if (fills)
      place.current?.querySelector('.cited-cell, mark')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [text, plugins, fills])
  return (
    <div ref={place}>
      <Prose text={text} plugins={plugins} />
    </div>
  )
})
