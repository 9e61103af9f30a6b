import { useEffect } from 'react'
import { Prose } from '../ui/markdown'
import { alignNumbers, type HtmlNode } from '../ui/table-marks'
import { useTitle } from '../ui/title'

const [operations = ''] = Object.values(
  import.meta.glob<string>('../../../docs/run/troubleshooting.md', { query: '?raw', import: 'default', eager: true }),
)

const textOf = ({ value = '', children = [] }: HtmlNode): string => value + children.map(textOf).join('')
const slugOf = (words: string): string => words.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-')

const nameHeadings = () => (tree: HtmlNode) => {
  for (const node of tree.children ?? [])
    if (node.tagName === 'h3') node.properties = { ...node.properties, id: slugOf(textOf(node)) }
}
const plugins = [alignNumbers, nameHeadings]

const alerts = operations.slice(operations.indexOf('## Alerts')).split(/\n(?=## )/)[0] ?? ''

export const Runbook = () => {
  useTitle('Runbook')
  useEffect(() => document.getElementById(location.hash.slice(1))?.scrollIntoView(), [])
  return (
    <section className="card runbook" aria-label="Runbook">
      <h1>Runbook</h1>
      <Prose text={alerts.replace('## Alerts', '')} plugins={plugins} />
    </section>
  )
}
