import { createRequire } from 'node:module'
import { Unfit } from '@plumbline/ports/document-parser'

const most = { tags: 500_000, depth: 800, nodes: 1_500_000 }

const bomb = (what: string, cause?: unknown): Unfit =>
  new Unfit('bomb', `The page ${what}, far more than a document people read, so it was not opened. Save its text on a page of its own and bring that.`, { cause })

/** Elements that others close for them, or that have no end: they do not tell how deep a page goes. */
const endless = new Set('area base br col embed hr img input link meta source track wbr p li dt dd tr td th thead tbody tfoot option optgroup colgroup html head body'.split(' '))

/** Counted before the page is parsed, for parsing a page of this kind is what takes forever. */
const refuseBombs = (html: string): void => {
  let tags = 0
  let depth = 0
  for (const [, slash, name = '', empty] of html.matchAll(/<(\/?)([a-z][a-z0-9-]{0,40})(?=[\s/>])(?:[^<>]{0,2000}?(\/)?>)?/gi)) {
    if ((tags += 1) > most.tags) throw bomb(`has more than ${most.tags} elements`)
    if (empty || endless.has(name.toLowerCase())) continue
    depth = slash ? Math.max(0, depth - 1) : depth + 1
    if (depth > most.depth * 4) throw bomb('nests its elements thousands deep')
  }
}

const refuseDeep = (document: Document): void => {
  let depth = 0
  let nodes = 0
  let node: Node | null = document.documentElement
  while (node) {
    if ((nodes += 1) > most.nodes) throw bomb(`has more than ${most.nodes} parts`)
    if (depth > most.depth) throw bomb(`nests its elements more than ${most.depth} deep`)
    if (node.firstChild) {
      node = node.firstChild
      depth += 1
      continue
    }
    while (node && !node.nextSibling) {
      node = node.parentNode
      depth -= 1
    }
    node = node?.nextSibling ?? null
  }
}

const require = createRequire(import.meta.url)

/** A page as its elements. Nothing it names is loaded and none of its scripts run. */
export const openHtml = (html: string): Document => {
  refuseBombs(html)
  const { JSDOM, VirtualConsole } = require('jsdom') as typeof import('jsdom')
  let document: Document
  try {
    ;({ document } = new JSDOM(html, { virtualConsole: new VirtualConsole() }).window)
  } catch (cause) {
    if (cause instanceof RangeError) throw bomb('nests its elements thousands deep', cause)
    throw cause
  }
  refuseDeep(document)
  return document
}
