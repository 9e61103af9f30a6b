import type { MouseEvent } from 'react'
import { Prose } from '../ui/markdown'
import { alignNumbers } from '../ui/table-marks'

type Node = { type: string; tagName?: string; value?: string; properties?: Record<string, unknown>; children?: Node[] }

const element = (tagName: string, properties: Record<string, unknown>, children: Node[]): Node => ({
  type: 'element',
  tagName,
  properties,
  children,
})
const text = (value: string): Node => ({ type: 'text', value })

const citation = (n: string): Node =>
  element('a', { href: `#source-${n}` }, [element('span', { className: 'unseen' }, [text('Source ')]), text(n)])

/** Turns `[2]` in the text into a link to source 2. */
const linkCitations = (node: Node): void => {
  node.children = node.children?.flatMap((child) => {
    if (child.type !== 'text') return [child]
    return (child.value ?? '')
      .split(/\[(\d{1,3})\]/)
      .flatMap((piece, i) => (i % 2 === 1 ? [citation(piece)] : piece === '' ? [] : [text(piece)]))
  })
  for (const child of node.children ?? []) if (!['a', 'code', 'pre'].includes(child.tagName ?? '')) linkCitations(child)
}
const plugins = [alignNumbers, () => linkCitations]

/** Shows an answer whose citations open their sources. */
export const CitedProse = ({ text, onSource }: { text: string; onSource: (n: number, from: HTMLElement) => void }) => {
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
