import { documentSourceContract } from '@plumbline/ports/document-source.contract'
import { allowedTargets } from '@plumbline/adapters/fetching/target'
import { openSource } from '../open-source'
import { etagOf, sitemapOf, startSite } from '../spec/site-server'

documentSourceContract('website', async () => {
  const site = await startSite()
  const files = new Map<string, string>()
  const address = (path: string): string => encodeURI(`/docs/${path}`)
  const publish = (): void => {
    site.set('/docs/', 'home')
    site.set('/docs/sitemap.xml', sitemapOf(...[...files.keys()].map((path) => ({ loc: site.url + address(path) }))))
    for (const [path, body] of files) site.set(address(path), { body, headers: { etag: etagOf(body) } })
  }
  return {
    put: async (path, content) => {
      files.set(path, content)
      publish()
    },
    remove: async (path) => {
      files.delete(path)
      site.remove(address(path))
      publish()
    },
    makeFolder: async () => undefined,
    breaks: 'within a list',
    breakDown: async () => {
      for (const path of files.keys()) site.set(address(path), { body: 'down', status: 503 })
    },
    mend: async () => publish(),
    open: (limits = {}) =>
      openSource(
        { kind: 'website', url: `${site.url}/docs/`, depth: 3, pages: 100, exclude: [] },
        { allowed: allowedTargets([site.host]), limits },
      ),
    close: site.close,
  }
})
