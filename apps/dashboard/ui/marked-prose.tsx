import { memo, useEffect, useMemo, useRef } from 'react'
import { type Node, pointAtCell } from './cited-cell'
import { Prose } from './markdown'

type Range = readonly [from: number, to: number]

const text = (value: string): Node => ({ type: 'text', value })
const mark = (value: string): Node => ({ type: 'element', tagName: 'mark', properties: {}, children: [text(value)] })

/** A text that stands in the source as it is shown; one with escapes in it is left alone. */
const split = (node: Node, marks: readonly Range[]): Node[] => {
  const { value = '', position } = node
  const [start, end] = [position?.start.offset ?? 0, position?.end.offset ?? 0]
  if (end - start !== value.length) return [node]
  const pieces: Node[] = []
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

const markIn = (node: Node, marks: readonly Range[]): void => {
  node.children = node.children?.flatMap((child) => (child.type === 'text' ? split(child, marks) : [child]))
  for (const child of node.children ?? []) if (child.tagName !== 'mark') markIn(child, marks)
}

/** Scrolls the table sideways, so that the page around it stays in its place. */
const show = (cell: HTMLElement, fills: boolean): void => {
  const table = cell.closest('.table')
  if (table) {
    const head = cell.parentElement?.firstElementChild?.getBoundingClientRect().width ?? 0
    const [{ left, width }, frame] = [cell.getBoundingClientRect(), table.getBoundingClientRect()]
    // The first column covers the table's left edge.
    table.scrollLeft += left - frame.left - head - Math.max(0, frame.width - head - width) / 2
  }
  if (fills) cell.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

type MarkedProps = {
  text: string
  marks: readonly Range[]
  /** The statement that the marks support. */
  claim: string
  /** The text fills a panel of its own, which may scroll up and down. */
  fills?: boolean
}

/** Markdown with some of its characters marked, by their offsets in the source. The table cell that decides the claim is scrolled into view. */
export const MarkedProse = memo(({ text, marks, claim, fills = false }: MarkedProps) => {
  const place = useRef<HTMLDivElement>(null)
  const plugins = useMemo(
    () => [
      () => (tree: Node) => {
        markIn(tree, marks)
        pointAtCell(tree, claim)
      },
    ],
    [marks, claim],
  )
  useEffect(() => {
    const cell = place.current?.querySelector<HTMLElement>('.cited-cell')
    if (cell) show(cell, fills)
  }, [text, plugins, fills])
  return (
    <div ref={place}>
      <Prose text={text} plugins={plugins} />
    </div>
  )
})
