import type { WebsiteSettings } from '@plumbline/contracts'
import { SourceError, type DocumentSource } from '@plumbline/ports/document-source'
import type { GuardedResponse } from '@plumbline/adapters/fetching/guarded-fetch'
import type { Guard } from '@plumbline/adapters/fetching/target'
import type { SourceLimits } from '../base/options'
import { listPages } from './list-pages'
import { openSite, type Site } from './site'

async function* contentOf({ body, close }: GuardedResponse): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } finally {
    await close()
  }
}

const refused = (status: number): SourceError =>
  new SourceError('no-access', 'never', `The site currently returns ${status} for this page. Try again later.`)

const notFit = (judged: ReturnType<Site['judge']>): SourceError =>
  judged === 'robots'
    ? new SourceError('no-access', 'never', "The site's robots.txt forbids reading this page.")
    : new SourceError(
        'not-allowed',
        'never',
        'This page is outside the site or is excluded by the settings of the source.',
      )

export const openWebsite = (settings: WebsiteSettings, guard: Guard, limits: SourceLimits): DocumentSource => {
  let opened: Promise<Site> | undefined
  const site = (signal: AbortSignal, anew: boolean): Promise<Site> => {
    if (opened && !anew) return opened
    const opening = openSite(settings, guard, limits.readMs, signal)
    opened = opening
    opening.catch(() => void (opened = undefined))
    return opening
  }
  return {
    list: async function* (signal) {
      yield* listPages(await site(signal, true), settings, limits.fileBytes, signal)
    },
    read: async ({ url }, signal) => {
      if (url === undefined || !URL.canParse(url)) return null
      const from = await site(signal, false)
      const page = new URL(url)
      const judged = from.judge(page)
      if (judged !== 'fit') throw notFit(judged)
      const answer = await from.ask(page, signal, limits.fileBytes)
      if (answer.kind === 'elsewhere') return null
      if (answer.status === 200) {
        const mediaType = answer.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
        return { content: contentOf(answer), ...(mediaType && { mediaType }) }
      }
      await answer.close()
      if (answer.status === 404 || answer.status === 410) return null
      throw refused(answer.status)
    },
    close: async () => undefined,
  }
}
