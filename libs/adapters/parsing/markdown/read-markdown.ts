import type { ParsedDocument } from '@plumbline/contracts'
import { markdownBlocks } from '@plumbline/knowledge/chunking'
import { Unfit } from '@plumbline/ports/document-parser'
import type { Reading } from '../reading'
import { plainText } from '../text'
import { hasHtml, withoutHtml } from './html-in-markdown'
import { withOuterPipes } from './outer-pipes'

/** What stands between the two lines of dashes, or of pluses, at the very beginning. */
const frontMatter = /^(---|\+\+\+)[ \t]*\n([\s\S]{0,20000}?)\n\1[ \t]*(?:\n|$)/

const unquoted = (value: string): string => {
  const text = value.trim()
  const quote = text.charAt(0)
  return (quote === '"' || quote === "'") && text.length > 1 && text.endsWith(quote) ? text.slice(1, -1).trim() : text
}

/** As the front matter has it, else the first heading of the first level. */
const titleOf = (text: string): string | undefined => {
  const [front = '', , told = ''] = frontMatter.exec(text) ?? []
  const title = /^title[ \t]*[:=][ \t]*(\S.*)$/im.exec(told)?.[1]
  if (title) return unquoted(title)
  return markdownBlocks(text.slice(front.length)).find(
    (block) => block.kind === 'heading' && block.level === 1 && block.text !== '',
  )?.text
}

export const readMarkdown = async (bytes: Uint8Array, { name }: Reading): Promise<ParsedDocument> => {
  const source = plainText(bytes, name)
  const text = withOuterPipes(hasHtml(source) ? withoutHtml(source, (await import('../html')).htmlToMarkdown) : source)
  if (text.trim() === '') throw new Unfit('no-text', `${name} is empty. Bring one with some text in it.`)
  const title = titleOf(text)
  return { ...(title ? { title } : {}), markup: 'markdown', parts: [{ text }] }
}
