import { gzipSync } from 'node:zlib'
import { WebsiteSettings } from '@plumbline/contracts'
import type { DocumentSource, Listed } from '@plumbline/ports/document-source'
import { itemsOf, listAll, textOf } from '@plumbline/ports/document-source.contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { allowedTargets } from '@plumbline/adapters/fetching/target'
import { openSource } from '../open-source'
import { sitemapIndexOf, sitemapOf, startSite } from '../spec/site-server'

let site: Awaited<ReturnType<typeof startSite>>
let other: Awaited<ReturnType<typeof startSite>>
beforeAll(async () => {
  site = await startSite()
  other = await startSite()
})
beforeEach(() => {
  site.clear()
  other.clear()
  other.set('/secret', 'of another site')
})
afterAll(async () => {
  await site.close()
  await other.close()
})

const open = (settings: Partial<WebsiteSettings> = {}): Promise<DocumentSource> =>
  openSource(WebsiteSettings.parse({ kind: 'website', url: `${site.url}/`, ...settings }), {
    allowed: allowedTargets([site.host, other.host]),
  })
const list = async (settings: Partial<WebsiteSettings> = {}): Promise<Listed[]> => listAll(await open(settings))
const pathsOf = (all: Listed[]): string[] => itemsOf(all).map(({ path }) => path)
const skippedOf = (all: Listed[]): string[] =>
  all.flatMap((one) => (one.kind === 'skipped' ? [`${one.path}: ${one.why}`] : []))
const at = (...paths: string[]): { loc: string }[] => paths.map((path) => ({ loc: site.url + path }))
const linked = (...paths: string[]): string => paths.map((path) => `<a href="${path}">x</a>`).join('')
const asked = (path: string): number => site.asked.filter((one) => one.path === path).length
const fault = { retry: 'never', words: expect.stringMatching(/^\S.*\.$/) as string }

describe('a site with a sitemap', () => {
  beforeEach(() => {
    site.set('/', 'home')
    for (const path of ['/a', '/b', '/c/', '/d.pdf']) site.set(path, `page ${path}`)
  })

  it('is listed from all sitemaps of its own origin, including indexes and compressed sitemaps', async () => {
    site.set(
      '/robots.txt',
      `User-agent: *\nDisallow: /private\nSitemap: ${site.url}/index.xml\nSitemap: ${other.url}/theirs.xml`,
    )
    site.set(
      '/index.xml',
      sitemapIndexOf(
        `${site.url}/one.xml`,
        `${site.url}/two.xml.gz`,
        `${other.url}/theirs.xml`,
        `${site.url}/index.xml`,
      ),
    )
    site.set('/one.xml', sitemapOf(...at('/a', '/a#part', '/c/', '/private/x'), { loc: `${other.url}/secret` }))
    site.set('/two.xml.gz', {
      body: gzipSync(sitemapOf(...at('/b', '/a', '/d.pdf', '/gone'))),
      type: 'application/gzip',
    })
    const all = await list()
    expect(pathsOf(all)).toEqual(['a', 'b', 'c/index.html', 'd.pdf'])
    expect(itemsOf(all)[2]).toMatchObject({ url: `${site.url}/c/` })
    expect(skippedOf(all)).toEqual([expect.stringMatching(/^private\/x: The site's robots.txt forbids/) as string])
    expect(other.asked).toEqual([])
    expect(asked('/private/x')).toBe(0)
    expect(new Set(site.asked.map(({ agent }) => agent))).toEqual(new Set(['plumbline']))
  })

  it('requests no page whose change date is in the sitemap, unless the date is a day that is not over', async () => {
    const today = new Date().toISOString().slice(0, 10)
    site.set(
      '/sitemap.xml',
      sitemapOf(
        { loc: `${site.url}/a`, lastmod: '2024-05-01' },
        { loc: `${site.url}/b`, lastmod: new Date().toISOString() },
        { loc: `${site.url}/c/`, lastmod: today },
        { loc: `${site.url}/d.pdf`, lastmod: 'some day' },
      ),
    )
    const versions = itemsOf(await list()).map(({ version }) => version.split(':')[0])
    expect(versions).toEqual(['lastmod', 'lastmod', 'sha256', 'sha256'])
    expect(['/a', '/b', '/c/', '/d.pdf'].map(asked)).toEqual([0, 0, 1, 1])
  })

  it('takes the version of a page from its headers, or else from its content', async () => {
    site.set('/sitemap.xml', sitemapOf(...at('/a', '/b', '/c/')))
    site.set('/a', { body: 'x', headers: { etag: '"7"' } })
    site.set('/b', { body: 'x', headers: { 'last-modified': 'Sat, 01 Jun 2024 00:00:00 GMT' } })
    const before = itemsOf(await list()).map(({ version }) => version)
    expect(before).toEqual([
      'etag:"7"',
      'modified:Sat, 01 Jun 2024 00:00:00 GMT',
      expect.stringMatching(/^sha256:/) as string,
    ])
    site.set('/c/', 'another')
    const after = itemsOf(await list()).map(({ version }) => version)
    expect(after.map((version, n) => version === before[n])).toEqual([true, true, false])
  })

  it('returns the media type of a page, and no page of another site or one that robots.txt forbids', async () => {
    site.set('/sitemap.xml', sitemapOf(...at('/a')))
    site.set('/robots.txt', 'User-agent: plumbline\nDisallow: /rules')
    site.set('/away', (_, response) => void response.writeHead(302, { location: `${other.url}/secret` }).end())
    site.set('/inside', (_, response) => void response.writeHead(302, { location: 'http://169.254.169.254/' }).end())
    site.set('/here', (_, response) => void response.writeHead(301, { location: '/a' }).end())
    site.set('/refused', { body: 'no', status: 403 })
    site.set('/down', { body: 'down', status: 502 })
    const source = await open({ exclude: ['/excluded'] })
    const read = (url: string) => source.read({ path: 'x', version: '1', url }, new AbortController().signal)
    expect(await read(`${site.url}/a`)).toMatchObject({ mediaType: 'text/html' })
    expect(await textOf(source, { path: 'x', version: '1', url: `${site.url}/here` })).toBe('page /a')
    for (const gone of ['/nowhere', '/away', '/inside']) expect(await read(site.url + gone)).toBeNull()
    await expect(read(`${site.url}/refused`)).rejects.toMatchObject({ code: 'source.no-access' })
    await expect(read(`${site.url}/down`)).rejects.toMatchObject({ code: 'source.unreachable', retry: 'later' })
    await expect(read(`${site.url}/rules`)).rejects.toMatchObject({ code: 'source.no-access' })
    for (const url of [`${other.url}/secret`, 'http://169.254.169.254/', `${site.url}/excluded/x`])
      await expect(read(url)).rejects.toMatchObject({ code: 'source.not-allowed' })
    expect(other.asked).toEqual([])
  })

  it.each<[string, string | { body: string | Uint8Array; status?: number }, string]>([
    ['is damaged', '<?xml version="1.0"?><urlset><url><loc>http://x/</loc>', 'source.unreadable'],
    ['is not there', { body: 'nothing', status: 404 }, 'source.unreadable'],
    ['is down', { body: 'down', status: 500 }, 'source.unreachable'],
    ['is a page', '<!doctype html><p>Welcome', 'source.unreadable'],
    ['is packed badly', { body: Buffer.from([0x1f, 0x8b, 1, 2, 3]) }, 'source.unreadable'],
    ['is a bomb', { body: gzipSync(Buffer.alloc(60_000_000, 32)) }, 'source.unreadable'],
  ])('fails where one that it names %s', async (_, page, code) => {
    site.set('/robots.txt', `Sitemap: ${site.url}/good.xml\nSitemap: ${site.url}/bad.xml`)
    site.set('/good.xml', sitemapOf(...at('/a')))
    site.set('/bad.xml', page)
    await expect(list()).rejects.toMatchObject({ code, words: fault.words })
  })

  it('cannot be listed while a page, its start page, robots.txt or its sitemap is down', async () => {
    site.set('/sitemap.xml', sitemapOf(...at('/a', '/b')))
    for (const path of ['/b', '/', '/robots.txt', '/sitemap.xml']) {
      site.set(path, (_, response) => void response.writeHead(503, { 'retry-after': '120' }).end())
      await expect(list()).rejects.toMatchObject({
        code: 'source.unreachable',
        retry: 'later',
        notBefore: expect.any(Number) as number,
      })
      if (path === '/robots.txt' || path === '/sitemap.xml') site.remove(path)
      else site.set(path, 'again')
    }
  })

  it('reports a partial list if it has more pages than the limit', async () => {
    site.set('/sitemap.xml', sitemapOf(...at('/a', '/b', '/c/')))
    expect((await list({ pages: 3 })).map(({ kind }) => kind)).toEqual(['item', 'item', 'item'])
    const all = await list({ pages: 2 })
    expect(all.map(({ kind }) => kind)).toEqual(['item', 'item', 'partial'])
    expect(all[2]).toMatchObject({ why: expect.stringContaining('more pages than the limit of 2') as string })
  })
})

describe('a site without a sitemap', () => {
  it('is listed by following its links, up to the depth limit and without excluded pages', async () => {
    site.set(
      '/',
      linked('/a', 'a', '/a#x', '/b/', 'mailto:a@example.org', `${other.url}/secret`, '/blog/1', '/x.zip', '/gone'),
    )
    site.set('/a', linked('/deep', '/'))
    site.set('/b/', linked('index.html', '/deep'))
    site.set('/b/index.html', 'the same')
    site.set('/deep', linked('/deeper'))
    site.set('/deeper', 'too deep')
    site.set('/blog/1', 'excluded')
    site.set('/x.zip', { body: 'zip', type: 'application/zip' })
    const all = await list({ depth: 2, exclude: ['/blog/', '/*.zip$'] })
    expect(pathsOf(all)).toEqual(['a', 'b/index.html', 'deep', 'index.html'])
    expect(skippedOf(all)).toEqual([])
    expect(['/a', '/deep', '/deeper', '/blog/1', '/x.zip'].map(asked)).toEqual([1, 1, 0, 0, 0])
    expect(other.asked).toEqual([])
    expect(pathsOf(await list({ depth: 0 }))).toEqual(['index.html'])
  })

  it('stays below the folder of its start page', async () => {
    site.set('/docs/start.html', linked('a.html', '/other.html', '../up.html', '/docs/../down.html', '/docs2/x'))
    site.set('/docs/a.html', 'a')
    for (const path of ['/other.html', '/up.html', '/down.html', '/docs2/x']) site.set(path, 'outside')
    expect(pathsOf(await list({ url: `${site.url}/docs/start.html` }))).toEqual(['a.html', 'start.html'])
    expect(['/other.html', '/up.html', '/down.html', '/docs2/x'].map(asked)).toEqual([0, 0, 0, 0])
  })

  it('does not accept an HTML page as a sitemap, because some sites return a page for every address', async () => {
    site.set('/', linked('/a'))
    site.set('/sitemap.xml', { body: '<!doctype html><p>Welcome', type: 'text/html' })
    site.set('/a', 'a')
    expect(pathsOf(await list())).toEqual(['a', 'index.html'])
  })

  it('is read as its robots.txt allows, with the crawl delay that it states', async () => {
    site.set('/robots.txt', 'User-agent: *\nCrawl-delay: 0.2\nDisallow: /private\nAllow: /private/open')
    site.set('/', linked('/a', '/private/x', '/private/open'))
    site.set('/a', 'a')
    site.set('/private/open', 'open')
    const from = performance.now()
    const all = await list()
    const tookMs = performance.now() - from
    expect(pathsOf(all)).toEqual(['a', 'index.html', 'private/open'])
    expect(skippedOf(all)).toEqual([expect.stringMatching(/^private\/x: /) as string])
    expect(asked('/private/x')).toBe(0)
    // The delay applies after the first two requests, which include the one for robots.txt.
    expect(tookMs).toBeGreaterThan((site.asked.length - 3) * 195)
  })

  it('reports unreadable pages as skipped, and follows no redirect to another site', async () => {
    site.set('/', linked('/away', '/inside', '/login', '/a', '/moved', '/round', '/odd'))
    site.set('/a', 'a')
    site.set('/away', (_, response) => void response.writeHead(302, { location: `${other.url}/secret` }).end())
    site.set('/inside', (_, response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end())
    site.set('/moved', (_, response) => void response.writeHead(301, { location: '/a' }).end())
    site.set('/round', (_, response) => void response.writeHead(301, { location: '/round' }).end())
    site.set('/odd', (_, response) => void response.writeHead(200, { 'content-encoding': 'odd' }).end('x'))
    site.set('/login', { body: 'who are you', status: 401 })
    const all = await list()
    expect(pathsOf(all)).toEqual(['a', 'index.html'])
    expect(skippedOf(all).map((line) => line.split(':')[0])).toEqual(['away', 'inside', 'login', 'round', 'odd'])
    expect(other.asked).toEqual([])
  })

  it('is the site that its start page redirects to', async () => {
    other.set('/', (_, response) => void response.writeHead(301, { location: `${site.url}/` }).end())
    site.set('/', linked('/a'))
    site.set('/a', 'a')
    const all = itemsOf(await list({ url: `${other.url}/` }))
    expect(all.map(({ url }) => url)).toEqual([`${site.url}/a`, `${site.url}/`])
  })

  it('that never ends stops at its page limit, and with few pages after many requests', async () => {
    const endless = (n: number): string => linked(...[1, 2, 3].map((k) => `/calendar?day=${n * 3 + k}`))
    const page = (n: number) => site.set(n === 0 ? '/' : `/calendar?day=${n}`, endless(n))
    for (let n = 0; n < 100; n += 1) page(n)
    const all = await list({ pages: 10, depth: 10 })
    expect(itemsOf(all)).toHaveLength(10)
    expect(all.at(-1)).toMatchObject({ kind: 'partial' })
    site.clear()
    site.set('/', linked(...Array.from({ length: 1_000 }, (_, n) => `/gone/${n}`)))
    expect((await list({ pages: 10 })).map(({ kind }) => kind)).toEqual(['item', 'partial'])
    expect(site.asked.length).toBeLessThan(200)
  })

  it.each([
    [404, 'source.not-found'],
    [403, 'source.no-access'],
  ])('reports a start page that answers %d', async (status, code) => {
    site.set('/', { body: 'no', status })
    await expect(list()).rejects.toMatchObject({ code, ...fault })
  })
})
