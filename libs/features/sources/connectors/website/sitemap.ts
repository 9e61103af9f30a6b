import { setImmediate as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { SourceError } from '@plumbline/ports/document-source'
import { SaxesParser } from 'saxes'
import type { Site } from './site'

export type SitemapPage = { url: URL; changed?: string }

/** The maximum size of a sitemap, as defined by the sitemap protocol. */
const mostBytes = 52_428_800
const mostSitemaps = 1_000
const slice = 1_000_000

const unpack = promisify(gunzip)

const unreadable = (url: URL, why: string, cause?: unknown): SourceError =>
  new SourceError(
    'unreadable',
    'never',
    `The sitemap ${url.href} cannot be read: ${why}. No documents were changed. Correct the sitemap, or ask the owner of the site to correct it.`,
    { cause },
  )

type Entry = { loc: string; lastmod: string }
type Sitemap = { kind: 'pages' | 'sitemaps'; entries: Entry[] }

const parseXml = async (text: string, url: URL): Promise<Sitemap | null> => {
  const parser = new SaxesParser()
  const open: string[] = []
  const entries: Entry[] = []
  let root = ''
  parser.on('opentag', ({ name }) => {
    const local = name.slice(name.indexOf(':') + 1)
    root ||= local
    open.push(local)
    if (open.length === 2 && (local === 'url' || local === 'sitemap')) entries.push({ loc: '', lastmod: '' })
  })
  parser.on('closetag', () => void open.pop())
  const add = (piece: string): void => {
    const [entry, field] = [entries.at(-1), open[2]]
    if (entry && open.length === 3 && (field === 'loc' || field === 'lastmod')) entry[field] += piece
  }
  parser.on('text', add)
  parser.on('cdata', add)
  parser.on('error', (error) => {
    throw error
  })
  try {
    for (let at = 0; at < text.length; at += slice) {
      parser.write(text.slice(at, at + slice))
      await pause()
    }
    parser.close()
  } catch (cause) {
    if (root !== 'urlset' && root !== 'sitemapindex') return null
    throw unreadable(url, 'its XML is damaged', cause)
  }
  if (root === 'sitemapindex') return { kind: 'sitemaps', entries }
  return root === 'urlset' ? { kind: 'pages', entries } : null
}

const parsed = async (text: string, mediaType: string, url: URL): Promise<Sitemap | null> => {
  const trimmed = text.trimStart()
  if (trimmed.startsWith('<')) return parseXml(trimmed, url)
  if (mediaType !== 'text/plain') return null
  return { kind: 'pages', entries: trimmed.split(/\s*\n\s*/).map((loc) => ({ loc, lastmod: '' })) }
}

const unpacked = async (bytes: Buffer, url: URL): Promise<Buffer> => {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  return unpack(bytes, { maxOutputLength: mostBytes }).catch((cause: unknown) => {
    throw unreadable(url, 'it cannot be decompressed, or is larger than 50 MB', cause)
  })
}

const load = async (site: Site, url: URL, signal: AbortSignal): Promise<Sitemap | null> => {
  const answer = await site.ask(url, signal, mostBytes)
  if (answer.kind === 'elsewhere') return null
  try {
    if (answer.status !== 200) return null
    const pieces: Uint8Array[] = []
    for await (const piece of answer.body) pieces.push(piece)
    const bytes = await unpacked(Buffer.concat(pieces), url)
    const mediaType = answer.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
    return await parsed(new TextDecoder().decode(bytes), mediaType, url)
  } finally {
    await answer.close()
  }
}

const urlsOf = (entries: Entry[], base: URL): SitemapPage[] =>
  entries
    .map(({ loc, lastmod }) => ({ loc: loc.trim(), lastmod: lastmod.trim() }))
    .filter(({ loc }) => loc !== '' && URL.canParse(loc, base))
    .map(({ loc, lastmod }) => ({ url: new URL(loc, base), ...(lastmod !== '' && { changed: lastmod }) }))

const guess = async (site: Site, signal: AbortSignal): Promise<[URL, Sitemap] | null> => {
  const usual = [new URL('./sitemap.xml', site.start).href, new URL('/sitemap.xml', site.start).href]
  for (const href of new Set(usual)) {
    const sitemap = await load(site, new URL(href), signal)
    if (sitemap) return [new URL(href), sitemap]
  }
  return null
}

const needed = async (site: Site, url: URL, signal: AbortSignal): Promise<Sitemap> => {
  const sitemap = await load(site, url, signal)
  if (!sitemap) throw unreadable(url, 'robots.txt names it, but it does not exist')
  return sitemap
}

/** Returns the pages in the sitemaps of a site. Throws if a sitemap that robots.txt names does not exist. */
export async function* sitemapPages(site: Site, signal: AbortSignal): AsyncGenerator<SitemapPage> {
  const guessed = site.sitemaps.length === 0 ? await guess(site, signal) : null
  const queue = guessed ? [guessed[0]] : [...site.sitemaps]
  const seen = new Set<string>()
  for (let url = queue.shift(); url; url = queue.shift()) {
    if (seen.has(url.href)) continue
    if (seen.add(url.href).size > mostSitemaps) throw unreadable(url, `the site has more than ${mostSitemaps} sitemaps`)
    const { kind, entries } = url === guessed?.[0] ? guessed[1] : await needed(site, url, signal)
    const named = urlsOf(entries, url)
    if (kind === 'pages') yield* named
    else for (const child of named) if (child.url.origin === site.start.origin) queue.push(child.url)
  }
}
