import { createRequire } from 'node:module'
import type * as Reader from '@mozilla/readability'
import { isElement, isHidden, isText, nameOf } from './elements'

const load = createRequire(import.meta.url)
const furniture =
  'nav, [role="navigation"], [role="banner"], [role="contentinfo"], [role="search"], [role="dialog"], [role="alertdialog"], dialog:not([open]), footer, .ads, .ad, .advertisement, .adsbygoogle, .cookie-banner, .cookie-consent'
const article = 'main, article, section, [role="main"], blockquote, figure, td'

const beside = 'aside, [role="complementary"]'

/** Parts of the page that are not of its content: a header or footer of the whole page, navigation, ads. */
const isFurniture = (element: Element): boolean =>
  element.matches(furniture)
    ? !(nameOf(element) === 'footer' && element.closest(article))
    : nameOf(element) === 'header' && !element.closest(article) && element.querySelector('h1, h2') === null

/** Characters that are seen and are not the words of links, nor of the page's furniture. */
const ownText = (element: Element): number => {
  let count = 0
  for (const child of element.childNodes) {
    if (isText(child)) count += child.data.replace(/\s+/g, '').length
    else if (
      isElement(child) &&
      nameOf(child) !== 'a' &&
      !isHidden(child) &&
      !isFurniture(child) &&
      !child.matches(beside)
    )
      count += ownText(child)
  }
  return count
}

const tablesIn = (root: Element): number =>
  [...root.querySelectorAll('table')].filter(
    (table) => !table.closest(`${furniture}, ${beside}`) && table.querySelectorAll('td').length > 1,
  ).length

/** What an article keeps of its page's own text, at least; below, the page is no article or the article is not all of it. */
const kept = 0.85
/** A page with less text than this is no article. */
const shortest = 1_000

type Article = { title: string; root: Element }

/** The article of a web page, where nearly all of the page's own text and every table is in it. */
export const articleOf = (document: Document, reopen: (html: string) => Document): Article | null => {
  const all = ownText(document.body)
  if (all < shortest || document.body.querySelector('nav, footer, aside, header, [role="navigation"]') === null)
    return null
  const { Readability } = load('@mozilla/readability') as typeof Reader
  const found = new Readability(document.cloneNode(true) as Document, { keepClasses: true }).parse()
  if (!found?.content) return null
  const root = reopen(found.content).body
  return ownText(root) >= kept * all && tablesIn(root) >= tablesIn(document.body)
    ? { title: (found.title ?? '').trim(), root }
    : null
}

/** Takes from a page what is not of its content; what stands beside it stays. */
export const withoutFurniture = (document: Document): void => {
  for (const element of document.body.querySelectorAll('*'))
    if (element.isConnected && isFurniture(element)) element.remove()
}
