import { createRequire } from 'node:module'
import type * as Jsdom from 'jsdom'
import { Unfit } from '@plumbline/ports/document-parser'

const most = { tags: 500_000, depth: 800, open: 2_000, formatting: 200, nodes: 1_500_000 }

const bomb = (what: string, cause?: unknown): Unfit =>
  new Unfit(
    'bomb',
    `The page ${what}, far more than a document people read, so it was not opened. Save its text on a page of its own and bring that.`,
    { cause },
  )

/** Elements that others close for them, their own kind among these, or that have no end: they do not tell how deep a page goes. */
const endless = new Set(
  'a area base br col embed hr img input link meta nobr source track wbr p li dt dd tr td th thead tbody tfoot option optgroup colgroup html head body'.split(
    ' ',
  ),
)

/** Where these are not closed, parsers open them again in every paragraph that follows. */
const formatting = new Set('b big code em font i s small strike strong tt u'.split(' '))

/** Counted before the page is parsed, for parsing a page of this kind is what takes forever. */
const refuseBombs = (html: string): void => {
  let tags = 0
  let depth = 0
  let formats = 0
  for (const [, slash, name = '', empty] of html.matchAll(
    /<(\/?)([a-z][a-z0-9-]{0,40})(?=[\s/>])(?:[^<>]{0,2000}?(\/)?>)?/gi,
  )) {
    if ((tags += 1) > most.tags) throw bomb(`has more than ${most.tags} elements`)
    if (empty || endless.has(name.toLowerCase())) continue
    const step = slash ? -1 : 1
    depth = Math.max(0, depth + step)
    if (formatting.has(name.toLowerCase())) formats = Math.max(0, formats + step)
    if (depth > most.open || formats > most.formatting)
      throw bomb('opens its elements hundreds deep and does not close them')
  }
}

const refuseDeep = (root: Node): void => {
  let depth = 0
  let nodes = 0
  let node: Node | null = root
  while (node) {
    if ((nodes += 1) > most.nodes) throw bomb(`has more than ${most.nodes} parts`)
    if (depth > most.depth) throw bomb(`nests its elements more than ${most.depth} deep`)
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

const opened = <Root extends Node>(html: string, open: (jsdom: typeof Jsdom) => Root): Root => {
  refuseBombs(html)
  try {
    const root = open(require('jsdom') as typeof Jsdom)
    refuseDeep(root)
    return root
  } catch (cause) {
    if (cause instanceof RangeError) throw bomb('nests its elements thousands deep', cause)
    throw cause
  }
}

/** A page as its elements. Nothing it names is loaded and none of its scripts run. */
export const openHtml = (html: string): Document =>
  opened(html, ({ JSDOM, VirtualConsole }) => new JSDOM(html, { virtualConsole: new VirtualConsole() }).window.document)

/** A piece of a page, which costs far less than a page of its own. */
export const openFragment = (html: string): DocumentFragment => opened(html, ({ JSDOM }) => JSDOM.fragment(html))
