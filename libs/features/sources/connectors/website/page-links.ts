const rawNames = 'script|style|textarea|title|xmp|iframe|noembed|noframes|template'
const rawText = new RegExp(`^(?:${rawNames})$`)
const rawEnds = new RegExp(`</(?:${rawNames})(?=[\\s/>])`, 'gi')

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const decoded = (value: string): string =>
  value.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos));/gi, (whole, decimal, hex, name) => {
    if (name) return entities[String(name).toLowerCase()] ?? whole
    const point = decimal ? Number(decimal) : Number.parseInt(String(hex), 16)
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : whole
  })

type Tag = { name: string; href?: string; end: number }

const tagAt = (html: string, at: number): Tag | null => {
  const opening = /<([a-z][^\s/>]{0,40})/iy
  opening.lastIndex = at
  const name = opening.exec(html)?.[1]?.toLowerCase()
  if (name === undefined) return null
  const attribute = /[\s/]*([^\s/>=][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>][^\s>]*)))?/y
  attribute.lastIndex = opening.lastIndex
  let [end, href]: [number, string | undefined] = [opening.lastIndex, undefined]
  for (let found = attribute.exec(html); found; found = attribute.exec(html)) {
    end = attribute.lastIndex
    if (found[1]?.toLowerCase() === 'href') href ??= found[2] ?? found[3] ?? found[4]
  }
  return { name, ...(href !== undefined && { href: decoded(href).trim() }), end }
}

const rawEnd = (html: string, from: number): number => {
  rawEnds.lastIndex = from
  return rawEnds.exec(html)?.index ?? html.length
}

/** Finds the links of a page in one pass. A malicious page could keep a tree parser busy for minutes. */
export const pageLinks = (html: string, address: URL): URL[] => {
  const links: URL[] = []
  let base = address
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', at)) {
    if (html.startsWith('<!--', at)) {
      const end = html.indexOf('-->', at + 4)
      if (end === -1) break
      at = end
      continue
    }
    const tag = tagAt(html, at)
    at = tag?.end ?? at + 1
    if (!tag) continue
    if (rawText.test(tag.name)) at = rawEnd(html, at)
    if (tag.href === undefined || !URL.canParse(tag.href, base)) continue
    if (tag.name === 'base') base = new URL(tag.href, address)
    if (tag.name === 'a' || tag.name === 'area') links.push(new URL(tag.href, base))
  }
  return links
}
