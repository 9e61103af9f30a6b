import { memo, useMemo } from 'react'
import { Prose } from './markdown'

type Range = readonly [from: number, to: number]
type Node = {
  type: string
  tagName?: string
  value?: string
  properties?: Record<string, unknown>
  children?: Node[]
  position?: { start: { offset?: number }; end: { offset?: number } }
}

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

/** Markdown with some of its characters marked, by their offsets in the source. */
export const MarkedProse = memo(({ text, marks }: { text: string; marks: readonly Range[] }) => {
  const plugins = useMemo(() => [() => (tree: Node) => markIn(tree, marks)], [marks])
  return <Prose text={text} plugins={plugins} />
})
