import { createHash } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import { onLoopback } from '@plumbline/testing/loopback'

export type Page = { body: string | Uint8Array; type?: string; headers?: Record<string, string>; status?: number }

const typeOf = (path: string): string =>
  path.endsWith('.xml') ? 'application/xml' : path.endsWith('.txt') ? 'text/plain' : 'text/html; charset=utf-8'

export const startSite = async () => {
  const pages = new Map<string, Page | RequestListener>()
  const asked: { path: string; agent: string; at: number }[] = []
  const { url, close } = await onLoopback(
    createServer((request, response) => {
      const path = request.url ?? '/'
      asked.push({ path, agent: request.headers['user-agent'] ?? '', at: performance.now() })
      const page = pages.get(path)
      if (!page) return void response.writeHead(404).end('nothing here')
      if (typeof page === 'function') return page(request, response)
      response
        .writeHead(page.status ?? 200, { 'content-type': page.type ?? typeOf(path), ...page.headers })
        .end(page.body)
    }),
  )
  return {
    url,
    host: new URL(url).host,
    asked,
    set: (path: string, page: string | Page | RequestListener) =>
      void pages.set(path, typeof page === 'string' ? { body: page } : page),
    remove: (path: string) => pages.delete(path),
    clear: () => {
      pages.clear()
      asked.length = 0
    },
    close,
  }
}

export const etagOf = (body: string): string => `"${createHash('sha1').update(body).digest('hex')}"`

const xml = (root: string, one: string, entries: { loc: string; lastmod?: string }[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries
    .map(({ loc, lastmod }) => `<${one}><loc>${loc}</loc>${lastmod ? `<lastmod>${lastmod}</lastmod>` : ''}</${one}>`)
    .join('\n')}</${root}>`

export const sitemapOf = (...entries: { loc: string; lastmod?: string }[]): string => xml('urlset', 'url', entries)
export const sitemapIndexOf = (...locs: string[]): string =>
  xml(
    'sitemapindex',
    'sitemap',
    locs.map((loc) => ({ loc })),
  )
