import type { WebsiteSettings } from '@plumbline/contracts'
import type { Listed } from '@plumbline/ports/document-source'
import { checkPage, pageItem, pagePath } from './check-page'
import type { Site } from './site'
import { sitemapPages, type SitemapPage } from './sitemap'

/** The maximum number of requests per listed page. The number is more than 1, because some requests return no page. */
const asksPerPage = 4

const withoutHash = (url: URL): URL => {
  const page = new URL(url)
  page.hash = ''
  return page
}

/** Ignores a date without a time until its day is over in every time zone. The page may still change on that day. */
const trustedDate = (changed: string | undefined, now: number): string | undefined => {
  const at = changed === undefined ? Number.NaN : Date.parse(changed)
  if (Number.isNaN(at)) return undefined
  const isDay = /^\d{4}(?:-\d\d){0,2}$/.test(changed ?? '')
  return !isDay || at + 2 * 86_400_000 < now ? changed : undefined
}

type Limits = { pages: number; maxBytes: number }
type Step = { listed: Listed[]; links: URL[] }

const pageVisitor = (site: Site, { pages, maxBytes }: Limits, signal: AbortSignal) => {
  const seen = new Set<string>()
  // `/guide/` and `/guide/index.html` have the same path, so they count as one page.
  const paths = new Set<string>()
  let asked = 0
  const isNew = (url: URL): boolean => seen.size < seen.add(url.href).size
  const item = (url: URL, version: string, size?: number): Listed[] => {
    const page = pageItem(url, site.start, version, size)
    if (paths.has(page.path)) return []
    paths.add(page.path)
    return [{ kind: 'item', item: page }]
  }
  const skipped = (url: URL, why: string): Step => ({
    listed: [{ kind: 'skipped', path: pagePath(url, site.start), why }],
    links: [],
  })
  const visit = async (url: URL, withLinks: boolean): Promise<Step> => {
    asked += 1
    const look = await checkPage(site, url, withLinks, maxBytes, signal)
    if (look.kind === 'gone') return { listed: [], links: [] }
    if (look.kind === 'skipped') return skipped(url, look.why)
    const judged = site.judge(look.url)
    if (judged === 'robots') return skipped(look.url, robotsWhy)
    if (judged !== 'fit') return { listed: [], links: [] }
    seen.add(look.url.href)
    return { listed: item(look.url, look.version, look.size), links: look.links }
  }
  return {
    isNew,
    item,
    skipped,
    visit,
    isFull: () => paths.size >= pages || asked >= pages * asksPerPage + 100,
  }
}
type Visitor = ReturnType<typeof pageVisitor>

const robotsWhy = "The site's robots.txt forbids reading this page."

const tooManyPages = (pages: number): Listed => ({
  kind: 'partial',
  why: `The site has more pages than the limit of ${pages}. Raise the limit, or exclude some pages. As long as the limit is exceeded, no documents are removed.`,
})

async function* bySitemap(site: Site, limits: Limits, signal: AbortSignal): AsyncGenerator<Listed, boolean> {
  const visitor = pageVisitor(site, limits, signal)
  const now = Date.now()
  let any = false
  for await (const { url, changed } of sitemapPages(site, signal) as AsyncIterable<SitemapPage>) {
    const page = withoutHash(url)
    const judged = site.judge(page)
    if (judged === 'outside' || !visitor.isNew(page)) continue
    any = true
    if (judged === 'excluded') continue
    if (judged === 'robots') {
      yield* visitor.skipped(page, robotsWhy).listed
      continue
    }
    if (visitor.isFull()) {
      yield tooManyPages(limits.pages)
      return true
    }
    const stated = trustedDate(changed, now)
    if (stated !== undefined) yield* visitor.item(page, `lastmod:${stated}`)
    else yield* (await visitor.visit(page, false)).listed
  }
  return any
}

type QueuedPage = { url: URL; depth: number }

const followed = (
  site: Site,
  visitor: Visitor,
  links: URL[],
  depth: number,
): { fit: QueuedPage[]; refused: Listed[] } => {
  const fresh = links.map(withoutHash).filter((url) => site.judge(url) !== 'outside' && visitor.isNew(url))
  const judged = fresh.map((url) => ({ url, as: site.judge(url) }))
  return {
    fit: judged.filter(({ as }) => as === 'fit').map(({ url }) => ({ url, depth })),
    refused: judged.filter(({ as }) => as === 'robots').flatMap(({ url }) => visitor.skipped(url, robotsWhy).listed),
  }
}

async function* byLinks(site: Site, depth: number, limits: Limits, signal: AbortSignal): AsyncGenerator<Listed> {
  const visitor = pageVisitor(site, limits, signal)
  const first = followed(site, visitor, [site.start], 0)
  yield* first.refused
  const queue = first.fit
  for (let at = 0; at < queue.length; at += 1) {
    if (visitor.isFull()) return yield tooManyPages(limits.pages)
    const next = queue[at]
    if (!next) return
    const { listed, links } = await visitor.visit(next.url, next.depth < depth)
    yield* listed
    const { fit, refused } = followed(site, visitor, links, next.depth + 1)
    yield* refused
    for (const waiting of fit) queue.push(waiting)
  }
}

export async function* listPages(
  site: Site,
  { depth, pages }: WebsiteSettings,
  maxBytes: number,
  signal: AbortSignal,
): AsyncGenerator<Listed> {
  const limits = { pages, maxBytes }
  const any = yield* bySitemap(site, limits, signal)
  if (!any) yield* byLinks(site, depth, limits, signal)
}
