import { type MouseEvent, useMemo } from 'react'
import { Prose } from '../ui/markdown'
import { alignNumbers, type HtmlNode } from '../ui/table-marks'

const element = (tagName: string, properties: Record<string, unknown>, children: HtmlNode[]): HtmlNode => ({
  type: 'element',
  tagName,
  properties,
  children,
})
const text = (value: string): HtmlNode => ({ type: 'text', value })

export type CitationMarks = ReadonlyMap<number, string>

const citation = (n: string, mark: string | undefined, isFirst: boolean): HtmlNode =>
  element('a', { href: `#source-${n}`, ...(mark !== undefined && { className: 'doubtful' }) }, [
    element('span', { className: 'unseen' }, [text('Source ')]),
    text(n),
    ...(mark === undefined ? [] : [element('span', { className: isFirst ? 'fault' : 'unseen' }, [text(` ${mark}`)])]),
  ])

const linkCitations = (marks: CitationMarks) => (tree: HtmlNode) => {
  const cited = new Set<string>()
  const link = (n: string): HtmlNode => {
    const isFirst = !cited.has(n)
    cited.add(n)
    return citation(n, marks.get(Number(n)), isFirst)
  }
  const linkIn = (node: HtmlNode): void => {
    node.children = node.children?.flatMap((child) => {
      if (child.type !== 'text') return [child]
      return (child.value ?? '')
        .split(/\[(\d{1,3})\]/)
        .flatMap((piece, i) => (i % 2 === 1 ? [link(piece)] : piece === '' ? [] : [text(piece)]))
    })
    for (const child of node.children ?? []) if (!['a', 'code', 'pre'].includes(child.tagName ?? '')) linkIn(child)
  }
  linkIn(tree)
}

type Props = { text: string; marks: CitationMarks; onSource: (n: number, from: HTMLElement) => void }

export const CitedProse = ({ text, marks, onSource }: Props) => {
  const plugins = useMemo(() => [alignNumbers, () => linkCitations(marks)], [marks])
  const open = (event: MouseEvent<HTMLElement>): void => {
    const link = (event.target as HTMLElement).closest<HTMLAnchorElement>('a[href^="#source-"]')
    if (!link) return
    event.preventDefault()
    onSource(Number(link.hash.slice('#source-'.length)), link)
  }
  return (
    <div className="cited" onClick={open}>
      <Prose text={text} plugins={plugins} />
    </div>
  )
}
