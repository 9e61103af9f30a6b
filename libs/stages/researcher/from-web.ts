import type { Evidence } from '@plumbline/contracts'
import type { Result, Step } from '@plumbline/flow'
import { contentId } from '@plumbline/knowledge/chunking/chunk'
import { rejectOnAbort } from '@plumbline/platform'
import type { Since, WebPage, WebSearch } from '@plumbline/ports/web-search'
import type { Skills } from '@plumbline/skills/skill/skill'
import type { Work } from '@plumbline/worker'
import { type Queries, retryQueries } from './queries'

type Ports = { web: WebSearch; skills: Pick<Skills, 'rewriteQuery'> }

const timeoutMs = 20_000

/** The age limit for web pages if the passages found before were outdated. A shorter limit would find too few pages. */
const recent: Since = 'year'

/** A web page becomes one passage, because the excerpts that search engines return are short. */
const passageOf = ({ title, url, text, fetchedAt, date }: WebPage, position: number, query: string): Evidence => ({
  id: `w${contentId(JSON.stringify([url, text]))}`,
  documentId: `web-${contentId(url)}`,
  collection: 'web',
  title,
  text,
  headingPath: [],
  position,
  url,
  fetchedAt: new Date(fetchedAt).toISOString(),
  ...(date !== undefined && { date }),
  scores: {},
  query,
})

export const isWebPage = ({ documentId, fetchedAt }: Evidence): boolean =>
  documentId.startsWith('web-') && fetchedAt !== undefined

const asked = async (ports: Ports, work: Work<'research'>, question: string, step: Step): Promise<Queries> => {
  const { run, task } = work
  if (run.policy.webQuery === 'question' || !task.failed) {
    const [first = question] = (run.policy.webQuery !== 'question' && step.planned) || []
    return { queries: [first] }
  }
  const found = await retryQueries(ports.skills, work, question, task.failed)
  return found.queries.length > 0 ? found : { queries: [question] }
}

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'it failed'

/** If the search fails, returns no passages and gives the reason, so that the run continues. */
export const fromWeb = async (
  ports: Ports,
  work: Work<'research'>,
  question: string,
  step: Step,
): Promise<Result<'research'>> => {
  const { run, task, signal } = work
  const queries = await asked(ports, work, question, step)
  const brought = { ...queries, source: 'web' as const }
  const [query = question] = queries.queries
  try {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    const most = run.policy.webResults
    const since = task.failed?.outdated ? recent : undefined
    const pages = await rejectOnAbort(ports.web.search(query, most, limited, since), limited)
    if (pages.length === 0) return { outcome: 'nothing', ...brought, reason: `${ports.web.name} found no page` }
    return { outcome: 'found', ...brought, passages: pages.map((page, position) => passageOf(page, position, query)) }
  } catch (error) {
    signal.throwIfAborted()
    return { outcome: 'nothing', ...brought, reason: `web search failed: ${codeOf(error)}`, degraded: ['web'] }
  }
}
