import { useState } from 'react'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { type CaseSummary, ReviewAction } from '@plumbline/contracts'
import { Link } from 'wouter'
import { useLive } from '../../live'
import { usePeople } from '../../people'
import { mayUse, useSession } from '../../session'
import { Button, Field, Select } from '../../ui/controls'
import { Problem } from '../../ui/problem'
import { fromNow } from '../../ui/time'
import { useFilters } from '../../ui/filters'
import { decisionLabels, outcomeLabel, reasonLabel, scoreText } from './labels'
import { DeskLinks } from './links'
import { useTitle } from '../../ui/title'

const isAction = (word: string | null): word is CaseSummary['action'] =>
  ReviewAction.options.some((one) => one === word)

const useCaseFilters = () => {
  const [filters, set] = useFilters()
  const action = filters.get('action')
  const of = (name: string): string | undefined => filters.get(name) ?? undefined
  const query = {
    ...(isAction(action) && { action }),
    words: of('words'),
    policy: of('policy'),
    collection: of('collection'),
  }
  return { query: Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)), filters, set }
}

const Filters = ({ filters, set }: Omit<ReturnType<typeof useCaseFilters>, 'query'>) => {
  const [words, setWords] = useState(filters.get('words') ?? '')
  return (
    <form
      className="case-filters"
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        set('words', words.trim())
      }}
    >
      <Field label="Question contains" value={words} onChange={setWords} />
      <Select
        label="Decision"
        value={filters.get('action') ?? ''}
        options={[['', 'all'], ...ReviewAction.options.map((action) => [action, decisionLabels[action]] as const)]}
        onChange={(action) => set('action', action)}
      />
      {(['policy', 'collection'] as const).map((name) => {
        const value = filters.get(name)
        return (
          value !== null && (
            <Button key={name} onPress={() => set(name, '')}>
              Remove the filter {name}: {value}
            </Button>
          )
        )
      })}
      <Button type="submit">Search</Button>
    </form>
  )
}

/** Saves all cases as a file. The whole file is in memory before it is saved, so a large export takes a moment. */
const ExportButton = ({ query }: { query: object }) => {
  const { client } = useSession()
  const save = useMutation({
    mutationFn: async () => {
      const file = URL.createObjectURL(await (await client.exportCases(query)).blob())
      const link = Object.assign(document.createElement('a'), { href: file, download: 'cases.jsonl' })
      link.click()
      setTimeout(() => URL.revokeObjectURL(file), 60_000)
    },
  })
  return (
    <>
      <Button onPress={() => save.mutate()} isDisabled={save.isPending}>
        {save.isPending ? 'Exporting…' : 'Export as JSONL'}
      </Button>
      {save.error && <Problem error={save.error} />}
    </>
  )
}

const Row = ({ one, set }: { one: CaseSummary; set: (name: string, value: string) => void }) => (
  <tr>
    <td>
      <Link href={`~/desk/cases/${one.id}`}>{one.question}</Link>
      <div className="small soft">
        held: {reasonLabel(one.reason)} · policy{' '}
        <button type="button" className="word" onClick={() => set('policy', one.policy)}>
          {one.policy}
        </button>
        {one.collections.map((name) => (
          <span key={name}>
            {' · '}
            <button type="button" className="word" onClick={() => set('collection', name)}>
              {name}
            </button>
          </span>
        ))}
      </div>
    </td>
    <td className="number">{scoreText(one.score)}</td>
    <td>{decisionLabels[one.action]}</td>
    <td>{outcomeLabel(one.status)}</td>
    <td>
      <time dateTime={one.decidedAt}>{fromNow(one.decidedAt)}</time>
      <div className="small soft">{usePeople()(one.by)}</div>
    </td>
  </tr>
)

const NoCases = ({ keptDays, isFiltered }: { keptDays: number; isFiltered: boolean }) => {
  if (keptDays === 0)
    return (
      <p className="nothing">
        No cases are stored. To list each new decision here for 30 days, start the gateway with{' '}
        <code>CASES_DAYS=30</code>. Only the operator can set this time, because a case stores the question, the draft
        and the evidence.
      </p>
    )
  return (
    <p className="nothing">
      {isFiltered
        ? 'No case matches. Remove a filter.'
        : 'No decisions yet. Decide a held answer at the desk, and it appears here within seconds.'}
    </p>
  )
}

export const CaseList = () => {
  useTitle('Cases')
  const { client, me } = useSession()
  useLive({ desk: true })
  const { query, filters, set } = useCaseFilters()
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['desk', 'cases', query],
    queryFn: ({ pageParam, signal }) => client.cases({ ...query, cursor: pageParam, limit: 50, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  })
  const items = data?.pages.flatMap((page) => page.items) ?? []
  const keptDays = data?.pages[0]?.keptDays ?? 0
  return (
    <main className="page cases">
      <DeskLinks here="~/desk/cases" />
      <div className="case-head">
        <h1>Cases</h1>
        {keptDays > 0 && <span className="soft">every decision of the last {keptDays} days</span>}
        {mayUse(me, 'admin') && items.length > 0 && <ExportButton query={query} />}
      </div>
      {(keptDays > 0 || filters.size > 0) && <Filters filters={filters} set={set} />}
      {error && <Problem error={error} />}
      {data && items.length === 0 && <NoCases keptDays={keptDays} isFiltered={Object.keys(query).length > 0} />}
      {items.length > 0 && (
        <div className="table card case-table" tabIndex={0} role="region" aria-label="Cases">
          <table>
            <thead>
              <tr>
                <th>Question</th>
                <th className="number">Score</th>
                <th>Decision</th>
                <th>Outcome</th>
                <th>Decided</th>
              </tr>
            </thead>
            <tbody>
              {items.map((one) => (
                <Row key={one.id} one={one} set={set} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {hasNextPage && (
        <Button onPress={() => void fetchNextPage()} isDisabled={isFetchingNextPage}>
          Show more
        </Button>
      )}
    </main>
  )
}
