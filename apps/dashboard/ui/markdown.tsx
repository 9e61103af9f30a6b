import { memo } from 'react'
import Markdown, { type Components, type Options } from 'react-markdown'
import gfm from 'remark-gfm'
import { EvidenceTable } from './evidence-table'
import { alignNumbers } from './table-marks'

/** Shows external links and images as plain text, so that the browser neither loads nor opens them. */
export const proseComponents: Components = {
  a: ({ children, href, className }) =>
    href?.startsWith('#') ? (
      <a href={href} className={className}>
        {children}
      </a>
    ) : (
      <span title={href}>{children}</span>
    ),
  img: ({ alt }) => <span className="soft">[{alt || 'picture'}]</span>,
  table: EvidenceTable,
}

const defaultPlugins = [alignNumbers]

/** Shows Markdown. HTML tags in a document or an answer appear as plain text. */
export const Prose = memo(
  ({ text, plugins = defaultPlugins }: { text: string; plugins?: Options['rehypePlugins'] }) => (
    <div className="prose">
      <Markdown remarkPlugins={[gfm]} rehypePlugins={plugins} components={proseComponents}>
        {text}
      </Markdown>
    </div>
  ),
)
