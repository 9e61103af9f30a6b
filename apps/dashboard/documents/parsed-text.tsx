import { memo, useMemo } from 'react'
import Markdown, { type Components, type ExtraProps } from 'react-markdown'
import gfm from 'remark-gfm'
import { Link, useLocation } from 'wouter'
import { proseComponents } from '../ui/markdown'
import { type HtmlNode, alignNumbers } from '../ui/table-marks'
import type { TextSpan } from './highlight-position'

export type HighlightedPassage = { id: string; position: number; spans: TextSpan[] }

const blocks = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'tr', 'pre', 'li'])

const link = ({ id, position }: HighlightedPassage): HtmlNode => ({
  type: 'element',
  tagName: 'a',
  properties: { dataPassage: id },
  children: [{ type: 'text', value: `${position + 1}` }],
})

const firstCell = (node: HtmlNode): HtmlNode =>
  node.tagName === 'tr' ? (node.children?.find(({ type }) => type === 'element') ?? node) : node

const markPassages =
  (passages: readonly HighlightedPassage[], chosen: string | undefined) => () => (tree: HtmlNode) => {
    const begun = new Set<string>()
    const look = (node: HtmlNode): void => {
      const [from, to] = [node.position?.start.offset, node.position?.end.offset]
      if (blocks.has(node.tagName ?? '') && from !== undefined && to !== undefined) {
        const here = passages.filter(({ spans }) => spans.some((span) => span.from < to && span.to > from))
        if (here.some(({ id }) => id === chosen)) node.properties = { ...node.properties, dataChosen: 'yes' }
        const starting = here.filter(({ id }) => !begun.has(id))
        for (const { id } of starting) begun.add(id)
        const cell = firstCell(node)
        cell.children = [...starting.map(link), ...(cell.children ?? [])]
      }
      node.children?.forEach(look)
    }
    look(tree)
  }

const Anchor = ({ node: _, ...props }: React.ComponentProps<'a'> & ExtraProps & { 'data-passage'?: string }) => {
  const [path] = useLocation()
  const id = props['data-passage']
  const Usual = proseComponents.a
  if (id === undefined) return typeof Usual === 'function' ? <Usual {...props} /> : null
  return (
    <Link href={`${path}?passage=${id}`} className="cite" aria-label={`Passage ${String(props.children)}`}>
      {props.children}
    </Link>
  )
}

const components: Components = { ...proseComponents, a: Anchor }

type ParsedTextProps = { text: string; passages: readonly HighlightedPassage[]; chosen: string | undefined }

export const ParsedMarkdown = memo(({ text, passages, chosen }: ParsedTextProps) => {
  const plugins = useMemo(() => [alignNumbers, markPassages(passages, chosen)], [passages, chosen])
  return (
    <div className="prose parsed">
      <Markdown remarkPlugins={[gfm]} rehypePlugins={plugins} components={components}>
        {text}
      </Markdown>
    </div>
  )
})

export const ParsedPlain = ({ text, passages, chosen }: ParsedTextProps) => {
  const spans = passages.find(({ id }) => id === chosen)?.spans ?? []
  const ends = spans.flatMap(({ from, to }) => [from, to])
  const pieces = [0, ...ends].map((from, nth) => ({ from, text: text.slice(from, ends[nth] ?? text.length) }))
  return (
    <pre className="parsed plain">
      {pieces.map(({ from, text }, nth) =>
        nth % 2 === 1 ? (
          <mark key={from} data-chosen="yes">
            {text}
          </mark>
        ) : (
          text
        ),
      )}
    </pre>
  )
}
