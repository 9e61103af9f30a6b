import { memo } from 'react'
import Markdown, { type Components, type Options } from 'react-markdown'
import gfm from 'remark-gfm'
import { EvidenceTable } from './evidence-table'
import { alignNumbers } from './table-marks'

/**
 * Shows external links and images as text. A document or a model then cannot make the browser load or open anything.
 */
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

/** Shows the Markdown of documents and models. HTML tags are shown as text. */
export const Prose = memo(
  ({ text, plugins = defaultPlugins }: { text: string; plugins?: Options['rehypePlugins'] }) => (
    <div className="prose">
      <Markdown remarkPlugins={[gfm]} rehypePlugins={plugins} components={proseComponents}>
        {text}
      </Markdown>
    </div>
  ),
)
