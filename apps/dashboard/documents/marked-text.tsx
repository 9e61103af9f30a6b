import { useMemo } from 'react'
import Markdown from 'react-markdown'
import gfm from 'remark-gfm'
import { proseComponents } from '../ui/markdown'
import { alignNumbers, type HtmlNode } from '../ui/table-marks'

type Marks = readonly (readonly [from: number, to: number])[]

/** Splits a text node at the marks. The marks are offsets in the Markdown text. */
const split = (node: HtmlNode, marks: Marks): HtmlNode[] => {
  const { value = '', position } = node
  const [start = 0, end = 0] = [position?.start.offset, position?.end.offset]
  // Leave a node with escaped characters as it is, because its offsets differ from those in the Markdown text.
  if (node.type !== 'text' || end - start !== value.length) return [node]
  const pieces: HtmlNode[] = []
  let last = start
  for (const [from, to] of marks.filter(([from, to]) => from >= start && to <= end)) {
    const word = { type: 'text', value: value.slice(from - start, to - start) }
    pieces.push({ type: 'text', value: value.slice(last - start, from - start) })
    pieces.push({ type: 'element', tagName: 'mark', properties: {}, children: [word] })
    last = to
  }
  return [...pieces, { type: 'text', value: value.slice(last - start) }]
}

const markMatches = (marks: Marks) => () => (tree: HtmlNode) => {
  const look = (node: HtmlNode): void => {
    node.children?.forEach(look)
    if (node.children) node.children = node.children.flatMap((child) => split(child, marks))
  }
  look(tree)
}

export const MarkedText = ({ text, marks }: { text: string; marks: Marks }) => {
  const plugins = useMemo(() => [alignNumbers, markMatches(marks)], [marks])
  return (
    <div className="prose parsed">
      <Markdown remarkPlugins={[gfm]} rehypePlugins={plugins} components={proseComponents}>
        {text}
      </Markdown>
    </div>
  )
}
