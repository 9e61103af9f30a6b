import { createRequire } from 'node:module'
import type * as Reader from '@mozilla/readability'
import type { ParsedDocument } from '@plumbline/contracts'
import { markdownBlocks } from '@plumbline/knowledge/chunking/blocks'
import { Unfit } from '@plumbline/ports/document-parser'
import type { Reading } from '../limits'
import { pageText } from '../text-encoding'
import { escapedHeading } from '../write-markdown'
import { isElement, isHidden, isText, nameOf, openHtml } from './dom'
import { markdownOf } from './html-to-markdown'

export { loadJsdom } from './dom'

const load = createRequire(import.meta.url)
const boilerplate =
  'nav, [role="navigation"], [role="banner"], [role="contentinfo"], [role="search"], [role="dialog"], [role="alertdialog"], dialog:not([open]), footer, .ads, .ad, .advertisement, .adsbygoogle, .cookie-banner, .cookie-consent'
const article = 'main, article, section, [role="main"], blockquote, figure, td'

const beside = 'aside, [role="complementary"]'

const isBoilerplate = (element: Element): boolean =>
  element.matches(boilerplate)
    ? !(nameOf(element) === 'footer' && element.closest(article))
    : nameOf(element) === 'header' && !element.closest(article) && element.querySelector('h1, h2') === null

const ownText = (element: Element): number => {
  let count = 0
  for (const child of element.childNodes) {
    if (isText(child)) count += child.data.replace(/\s+/g, '').length
    else if (
      isElement(child) &&
      nameOf(child) !== 'a' &&
      !isHidden(child) &&
      !isBoilerplate(child) &&
      !child.matches(beside)
    )
      count += ownText(child)
  }
  return count
}

const tablesIn = (root: Element): number =>
  [...root.querySelectorAll('table')].filter(
    (table) => !table.closest(`${boilerplate}, ${beside}`) && table.querySelectorAll('td').length > 1,
  ).length

/** If a detected article contains a smaller share of the page's text, the whole page is used. */
const keptShare = 0.85
/** If a page has fewer characters, the whole page is used, without the detection of an article. */
const shortest = 1_000

const isNearlyAllOf = (part: Element, body: Element): boolean =>
  ownText(part) >= keptShare * ownText(body) && tablesIn(part) >= tablesIn(body)

const withMainAlone = ({ body }: Document): void => {
  const [main, ...others] = [...body.querySelectorAll('main, [role="main"]')].filter((one) => !isHidden(one))
  const hasName = main && (main.querySelector('h1') !== null || body.querySelector('h1') === null)
  if (hasName && others.length === 0 && isNearlyAllOf(main, body)) body.replaceChildren(main)
}

type Article = { title: string; root: Element }

const articleOf = (document: Document, reopen: (html: string) => Document): Article | null => {
  if (
    ownText(document.body) < shortest ||
    document.body.querySelector('nav, footer, aside, header, [role="navigation"]') === null
  )
    return null
  const { Readability } = load('@mozilla/readability') as typeof Reader
  const found = new Readability(document.cloneNode(true) as Document, { keepClasses: true }).parse()
  if (!found?.content) return null
  const root = reopen(found.content).body
  return isNearlyAllOf(root, document.body) ? { title: (found.title ?? '').trim(), root } : null
}

const withoutBoilerplate = (document: Document): void => {
  for (const element of document.body.querySelectorAll('*'))
    if (element.isConnected && isBoilerplate(element)) element.remove()
}

const line = (text: string | null | undefined): string => (text ?? '').replace(/\s+/g, ' ').trim()

/**
 * Adds the title as a heading, because the Readability library removes the title or lowers its level. Without the
 * title, passages would lack their subject.
 */
const withTitle = (title: string, markdown: string): string => {
  if (title === '' || markdownBlocks(markdown).some((block) => block.kind === 'heading' && block.level === 1))
    return markdown
  const heading = escapedHeading(title)
  return markdown.startsWith(`## ${heading}\n`) ? markdown.slice(1) : `# ${heading}\n\n${markdown}`
}

const contentOf = (document: Document): { title: string; text: string } => {
  withMainAlone(document)
  const heading = line([...document.querySelectorAll('h1')].find((one) => !isHidden(one))?.textContent)
  const title = line(document.title) || heading
  const article = articleOf(document, openHtml)
  if (article)
    return { title: article.title || title, text: withTitle(heading || article.title, markdownOf(article.root)) }
  const whole = markdownOf(document.body)
  withoutBoilerplate(document)
  return { title, text: markdownOf(document.body) || whole }
}

export const readHtml = (bytes: Uint8Array, { name }: Reading): Promise<ParsedDocument> => {
  const source = pageText(bytes)
  if (source.slice(0, 10_000).includes('\0') || /^(?:%PDF-|PK\u0003\u0004)/.test(source))
    return Promise.reject(
      new Unfit(
        'mislabelled',
        `${name} is named like a web page, but contains something else. Correct the file name extension, for example to .pdf or .docx, and upload the file again.`,
      ),
    )
  const { title, text } = contentOf(openHtml(source))
  if (text.trim() === '')
    return Promise.reject(
      new Unfit(
        'no-text',
        `${name} contains no text. If a browser shows text on this page, save the page in the browser, or upload it as a PDF.`,
      ),
    )
  return Promise.resolve({ ...(title === '' ? {} : { title }), markup: 'markdown', parts: [{ text }] })
}
