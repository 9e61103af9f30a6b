import { memo } from 'react'
import Markdown, { type Components, type Options } from 'react-markdown'
import gfm from 'remark-gfm'
import { EvidenceTable } from './evidence-table'
import { alignNumbers } from './table-marks'

/**
 * Shows links to other sites and images as text, so that nothing written by a document or a model is loaded or opened.
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

const usual = [alignNumbers]

/** Shows the Markdown of documents and models. HTML in it is shown as text. */
export const Prose = memo(({ text, plugins = usual }: { text: string; plugins?: Options['rehypePlugins'] }) => (
  <div className="prose">
    <Markdown remarkPlugins={[gfm]} rehypePlugins={plugins} components={proseComponents}>
      {text}
    </Markdown>
  </div>
))
