import { createRequire } from 'node:module'
import { Unfit } from '@plumbline/ports/document-parser'
import type * as Jsdom from 'jsdom'

const setOf = (names: string): ReadonlySet<string> => new Set(names.split(' '))

const blockNames = setOf(
  'address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre search section summary table tbody td tfoot th thead tr ul',
)
const dropped = setOf(
  'script style template noscript iframe frame frameset object embed applet svg canvas audio video map head title input select textarea datalist progress meter rp',
)

export const nameOf = (element: Element): string => element.localName

export const isElement = (node: Node): node is Element => node.nodeType === 1
export const isText = (node: Node): node is Text => node.nodeType === 3 || node.nodeType === 4

export const isHidden = (element: Element): boolean =>
  dropped.has(nameOf(element)) ||
  (element.hasAttribute('hidden') && element.getAttribute('hidden') !== 'until-found') ||
  element.getAttribute('aria-hidden') === 'true' ||
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(element.getAttribute('style') ?? '')

const blockCache = new WeakMap<Element, boolean>()

export const holdsBlock = (element: Element): boolean => {
  const before = blockCache.get(element)
  if (before !== undefined) return before
  const holds =
    blockNames.has(nameOf(element)) || [...element.children].some((child) => !isHidden(child) && holdsBlock(child))
  blockCache.set(element, holds)
  return holds
}

export const visibleChildren = (parent: Element): Element[] => [...parent.children].filter((child) => !isHidden(child))

const most = {
  tags: 500_000,
  open: 2_000,
  formatting: 200,
  attributes: 2_000_000,
  attributesOfOne: 1_000,
  roots: 100,
  columns: 1_000_000,
}

const bomb = (what: string, cause?: unknown): Unfit =>
  new Unfit(
    'bomb',
    `The page ${what}, far more than a normal document, so it was not opened. Save its text as a separate page and upload that page.`,
    { cause },
  )

/** Elements that need no end tag. They do not count toward the nesting depth. */
const endless = new Set(
  'a area base br col embed hr img input link meta nobr source track wbr p li dt dd tr td th thead tbody tfoot option optgroup colgroup html head body'.split(
    ' ',
  ),
)

/** If the end tag of such an element is missing, parsers reopen the element in every following paragraph. */
const formatting = new Set('b big code em font i s small strike strong tt u'.split(' '))

const attributeCounter = (html: string) => {
  const name = /[\s/]*[^\s/>][^\s/>=]*(?:\s*=\s*)?/y
  const bare = /[^\s>]*/y
  const lastOf = { '"': html.lastIndexOf('"'), "'": html.lastIndexOf("'") }
  return (from: number): number => {
    let at = from
    for (let count = 0; count <= most.attributesOfOne; count += 1) {
      name.lastIndex = at
      const found = name.exec(html)
      if (!found) return count
      at = name.lastIndex
      if (!/=\s*$/.test(found[0])) continue
      const quote = html[at]
      if (quote === '"' || quote === "'") {
        if (at >= lastOf[quote]) return count
        at = html.indexOf(quote, at + 1) + 1
      } else {
        bare.lastIndex = at
        bare.exec(html)
        at = bare.lastIndex
      }
    }
    return most.attributesOfOne + 1
  }
}

const columnsOf = (cell: string): number =>
  Math.min(1_000, Number(/\scolspan\s*=\s*["']?\s*(\d{1,9})/i.exec(cell)?.[1] ?? 1))

/** Rejects a malicious page before it is parsed, because parsing such a page may never end. */
const refuseBombs = (html: string): void => {
  const attributesFrom = attributeCounter(html)
  let [tags, depth, formats, attributes, roots, columns] = [0, 0, 0, 0, 0, 0]
  const tag = /<(\/?)([a-z][a-z0-9-]{0,40})(?=[\s/>])(?:[^<>]{0,2000}?(\/)?>)?/gi
  for (const { 0: whole, index, 1: slash, 2: written = '', 3: empty } of html.matchAll(tag)) {
    const name = written.toLowerCase()
    if ((tags += 1) > most.tags) throw bomb(`has more than ${most.tags} elements`)
    const own = slash ? 0 : attributesFrom(index + 1 + name.length)
    attributes += own
    if (own > most.attributesOfOne || attributes > most.attributes)
      throw bomb('has elements with thousands of attributes')
    // Reject a page with many html or body elements, because parsing it would take too long.
    if ((name === 'html' || name === 'body') && (roots += 1) > most.roots)
      throw bomb('has hundreds of html or body elements')
    if ((name === 'td' || name === 'th') && !slash && (columns += columnsOf(whole)) > most.columns)
      throw bomb('has cells that span a million columns')
    if (empty || endless.has(name)) continue
    const step = slash ? -1 : 1
    depth = Math.max(0, depth + step)
    if (formatting.has(name)) formats = Math.max(0, formats + step)
    if (depth > most.open || formats > most.formatting) throw bomb('nests hundreds of elements that are never closed')
  }
}

const mostParts = { depth: 800, nodes: 1_500_000 }

const refuseDeep = (root: Node): void => {
  let depth = 0
  let nodes = 0
  let node: Node | null = root
  while (node) {
    if ((nodes += 1) > mostParts.nodes) throw bomb(`has more than ${mostParts.nodes} parts`)
    if (depth > mostParts.depth) throw bomb(`nests its elements more than ${mostParts.depth} levels deep`)
    if (node.firstChild) {
      node = node.firstChild
      depth += 1
      continue
    }
    while (node && node !== root && !node.nextSibling) {
      node = node.parentNode
      depth -= 1
    }
    node = node === root ? null : (node?.nextSibling ?? null)
  }
}

const require = createRequire(import.meta.url)

export const loadJsdom = (): typeof Jsdom => require('jsdom') as typeof Jsdom

/** Removes permalinks. Their only text is a sign, such as `¶` after a heading. */
const removePermalinks = (root: ParentNode): void => {
  for (const link of root.querySelectorAll('a[href^="#"]'))
    if (link.childElementCount === 0 && !/[\p{L}\p{N}]/u.test(link.textContent)) link.remove()
}

const opened = <Root extends Node & ParentNode>(html: string, open: (jsdom: typeof Jsdom) => Root): Root => {
  refuseBombs(html)
  try {
    const root = open(loadJsdom())
    refuseDeep(root)
    removePermalinks(root)
    return root
  } catch (cause) {
    if (cause instanceof RangeError) throw bomb('nests its elements thousands of levels deep', cause)
    throw cause
  }
}

/** Parses a page without loading its resources and without running its scripts. */
export const openHtml = (html: string): Document =>
  opened(html, ({ JSDOM, VirtualConsole }) => new JSDOM(html, { virtualConsole: new VirtualConsole() }).window.document)

/** Parses a fragment of a page, which is much faster than parsing a whole page. */
export const openFragment = (html: string): DocumentFragment => opened(html, ({ JSDOM }) => JSDOM.fragment(html))
