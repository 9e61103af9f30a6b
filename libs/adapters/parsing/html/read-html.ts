import type { ParsedDocument } from '@plumbline/contracts'
import { markdownBlocks } from '@plumbline/knowledge/chunking'
import { Unfit } from '@plumbline/ports/document-parser'
import { headingWords } from '../prose'
import type { Reading } from '../reading'
import { openHtml } from './dom'
import { isHidden } from './elements'
import { pageText } from './encoding'
import { articleOf, withoutFurniture } from './main-content'
import { markdownOf } from './walk'

const line = (text: string | null | undefined): string => (text ?? '').replace(/\s+/g, ' ').trim()

/** Readability takes a page's name out of its article, or makes it one of the lesser headings: a passage without it would not say what it is about. */
const withTitle = (title: string, markdown: string): string => {
  if (title === '' || markdownBlocks(markdown).some((block) => block.kind === 'heading' && block.level === 1))
    return markdown
  const heading = headingWords(title)
  return markdown.startsWith(`## ${heading}\n`) ? markdown.slice(1) : `# ${heading}\n\n${markdown}`
}

const contentOf = (document: Document): { title: string; text: string } => {
  const heading = line([...document.querySelectorAll('h1')].find((one) => !isHidden(one))?.textContent)
  const title = line(document.title) || heading
  const article = articleOf(document, openHtml)
  if (article)
    return { title: article.title || title, text: withTitle(heading || article.title, markdownOf(article.root)) }
  const whole = markdownOf(document.body)
  withoutFurniture(document)
  return { title, text: markdownOf(document.body) || whole }
}

export const readHtml = (bytes: Uint8Array, { name }: Reading): Promise<ParsedDocument> => {
  const source = pageText(bytes)
  if (source.slice(0, 10_000).includes('\0') || /^(?:%PDF-|PK\u0003\u0004)/.test(source))
    return Promise.reject(
      new Unfit(
        'mislabelled',
        `${name} is called a web page, but holds something else. Bring it under its own kind of name, as .pdf or .docx.`,
      ),
    )
  const { title, text } = contentOf(openHtml(source))
  if (text.trim() === '')
    return Promise.reject(
      new Unfit(
        'no-text',
        `${name} shows no text by itself. If a browser shows some, save the page from there, or bring it as a PDF.`,
      ),
    )
  return Promise.resolve({ ...(title === '' ? {} : { title }), markup: 'markdown', parts: [{ text }] })
}
