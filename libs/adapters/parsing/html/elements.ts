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

/** What a reader of the page does not see. */
export const isHidden = (element: Element): boolean =>
  dropped.has(nameOf(element)) ||
  (element.hasAttribute('hidden') && element.getAttribute('hidden') !== 'until-found') ||
  element.getAttribute('aria-hidden') === 'true' ||
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(element.getAttribute('style') ?? '')

const known = new WeakMap<Element, boolean>()

/** A block, or an inline element around one. */
export const holdsBlock = (element: Element): boolean => {
  const before = known.get(element)
  if (before !== undefined) return before
  const holds =
    blockNames.has(nameOf(element)) || [...element.children].some((child) => !isHidden(child) && holdsBlock(child))
  known.set(element, holds)
  return holds
}

/** The elements among a node's children that are seen. */
export const seen = (parent: Element): Element[] => [...parent.children].filter((child) => !isHidden(child))
