import { useEffect, useMemo } from 'react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { DocumentView, ParsedDocument, Passage } from '@plumbline/contracts'
import { Link, useLocation, useSearchParams } from 'wouter'
import { useSession } from '../session'
import { Select } from '../ui/controls'
import { Problem } from '../ui/problem'
import { passageFinder, type Section, sectionsOf } from './highlight-position'
import { countText } from './labels'
import { PageImage } from './page-image'
import { type HighlightedPassage, ParsedMarkdown, ParsedPlain } from './parsed-text'

const useView = () => {
  const [path] = useLocation()
  const [params] = useSearchParams()
  const isPage = params.get('view') === 'page'
  const address = (params: Record<string, string>, page = isPage): string =>
    `${path}?${new URLSearchParams({ ...params, ...(page && { view: 'page' }) }).toString()}`
  const passage = params.get('passage') ?? undefined
  return { isPage, address, passage, part: Number(params.get('part') ?? 1) - 1 }
}

const usePassages = ({ id, version, status }: DocumentView): { passages: Passage[]; isWhole: boolean } => {
  const { client } = useSession()
  const { data, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery({
    queryKey: ['passages', id, version, status === 'indexed'],
    queryFn: ({ pageParam, signal }) =>
      client.passages(id, { limit: 100, signal, ...(pageParam !== null && { cursor: pageParam }) }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: (before) => before,
  })
  useEffect(() => {
    if (hasNextPage && !isFetching) void fetchNextPage()
  }, [hasNextPage, isFetching, fetchNextPage])
  const passages = useMemo(() => data?.pages.flatMap(({ items }) => items) ?? [], [data])
  return { passages, isWhole: data !== undefined && !hasNextPage }
}

/** Returns whether a passage may be in a section: on the page where the passage begins, or on the next page. */
const mayBeIn = (section: Section, { page }: Passage): boolean =>
  page === undefined || section.page === undefined || page === section.page || page === section.page - 1

const passagesIn = (section: Section, passages: readonly Passage[]): HighlightedPassage[] => {
  const find = passageFinder(section.text)
  return passages
    .filter((passage) => mayBeIn(section, passage))
    .map(({ id, position, text }) => ({ id, position, spans: find(text) }))
    .filter(({ spans }) => spans.length > 0)
}

const sectionOf = (sections: readonly Section[], passage: Passage | undefined): number => {
  if (!passage) return -1
  const found = sections.findIndex((section) => passagesIn(section, [passage]).length > 0)
  return found >= 0 ? found : sections.findIndex(({ page }) => page !== undefined && page === passage.page)
}

const SectionPager = ({ sections, at }: { sections: readonly Section[]; at: number }) => {
  const [, go] = useLocation()
  const { address } = useView()
  if (sections.length < 2) return null
  const to = (at: number): string => address({ part: `${at + 1}` })
  const step = (at: number, words: string) =>
    sections[at] ? <Link href={to(at)}>{words}</Link> : <span className="faint">{words}</span>
  return (
    <div className="pages small" role="group" aria-label="Pages of the document">
      {step(at - 1, 'Previous')}
      <Select
        label="Go to page"
        labelled="unseen"
        value={`${at}`}
        options={sections.map(({ label }, nth) => [`${nth}`, label])}
        onChange={(nth) => go(to(Number(nth)))}
      />
      <span className="soft">of {sections.length}</span>
      {step(at + 1, 'Next')}
    </div>
  )
}

const firstWords = (text: string): string =>
  text
    .replace(/[\s|#*-]+/g, ' ')
    .trim()
    .slice(0, 200)

const PassageList = ({ passages, chosen }: { passages: readonly Passage[]; chosen: string | undefined }) => {
  const { address } = useView()
  return (
    <aside className="card passages" aria-labelledby="passages-title">
      <h2 id="passages-title">{countText(passages.length, 'passage')} in this section</h2>
      <p className="faint small">Search returns these passages. Choose one to see it in the document.</p>
      <ol>
        {passages.map(({ id, position, headingPath, text }) => (
          <li key={id}>
            <Link href={address({ passage: id })} aria-current={id === chosen ? 'true' : undefined}>
              <span className="cite">{position + 1}</span> {headingPath.at(-1) ?? `Passage ${position + 1}`}
              <span className="faint small">{firstWords(text)}</span>
            </Link>
          </li>
        ))}
      </ol>
    </aside>
  )
}

const UnlocatedPassage = ({ passage }: { passage: Passage }) => (
  <section className="card unplaced">
    <h2>Passage {passage.position + 1}</h2>
    <p className="faint small">This passage was not found in the document text below. Search uses this passage text:</p>
    <p className="passage-text">{passage.text}</p>
  </section>
)

const ViewSwitch = ({ part }: { part: number }) => {
  const { isPage, address, passage } = useView()
  const params: Record<string, string> = passage === undefined ? { part: `${part + 1}` } : { passage }
  return (
    <div className="views small" role="group" aria-label="How the document is shown">
      <Link href={address(params, false)} aria-current={isPage ? undefined : 'true'}>
        Text
      </Link>
      <Link href={address(params, true)} aria-current={isPage ? 'true' : undefined}>
        Page image
      </Link>
    </div>
  )
}

type ReadingProps = { view: DocumentView; parsed: ParsedDocument; passages: Passage[]; isWhole: boolean }

const SectionView = ({ view, parsed, passages, isWhole }: ReadingProps) => {
  const { isPage, passage: chosen, part: asked } = useView()
  const passage = passages.find(({ id }) => id === chosen)
  const sections = useMemo(() => sectionsOf(parsed.parts), [parsed])
  const at = Math.max(0, chosen === undefined ? asked : sectionOf(sections, passage))
  const section = sections[at] ?? sections[0]
  const located = useMemo(() => (section ? passagesIn(section, passages) : []), [section, passages])
  const isLocated = located.some(({ id }) => id === chosen)
  useEffect(() => {
    if (isLocated) document.querySelector('[data-chosen]')?.scrollIntoView({ block: 'center' })
  }, [isLocated, chosen, at])
  if (!section) return <p className="card empty">No text was found in this document.</p>
  const here = new Set(located.map(({ id }) => id))
  const Shown = parsed.markup === 'text' ? ParsedPlain : ParsedMarkdown
  const page = view.format === 'pdf' || view.format === 'image' ? section.page : undefined
  return (
    <div className="reading">
      <div>
        <SectionPager sections={sections} at={at} />
        {chosen !== undefined && !passage && isWhole && (
          <p className="card empty">
            This passage no longer exists, because the document was replaced or split differently.
          </p>
        )}
        {page !== undefined && <ViewSwitch part={at} />}
        {page !== undefined && isPage ? (
          <PageImage documentId={view.id} version={view.version} page={page} passage={passage?.text} />
        ) : (
          <>
            {passage && !isLocated && <UnlocatedPassage passage={passage} />}
            <article className="card" aria-label={section.label}>
              <Shown text={section.text} passages={located} chosen={chosen} />
            </article>
          </>
        )}
        <SectionPager sections={sections} at={at} />
      </div>
      <PassageList passages={passages.filter(({ id }) => here.has(id) || id === chosen)} chosen={chosen} />
    </div>
  )
}

const isParsed = ({ status, task }: DocumentView): boolean =>
  status === 'indexed' || task === 'chunk' || task === 'embed' || task === 'index'

export const DocumentText = ({ view }: { view: DocumentView }) => {
  const { client } = useSession()
  const { id, status, version } = view
  const { data: parsed, error } = useQuery({
    queryKey: ['content', id, version],
    queryFn: ({ signal }) => client.documentContent(id, { signal }),
    placeholderData: (before) => before,
    enabled: isParsed(view),
  })
  const { passages, isWhole } = usePassages(view)
  if (error) return <Problem error={error} />
  if (parsed) return <SectionView view={view} parsed={parsed} passages={passages} isWhole={isWhole} />
  if (isParsed(view)) return <p aria-busy="true" />
  return (
    <p className="card empty">
      {status === 'failed'
        ? 'No text could be read from this document.'
        : 'This document is not read yet. The text appears here when it is ready.'}
    </p>
  )
}
