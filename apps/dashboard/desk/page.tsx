import { lazy, useEffect, useRef, useState } from 'react'
import { Link, Route, Switch } from 'wouter'
import { useQueryClient } from '@tanstack/react-query'
import { cleanName, type ReviewList, type ReviewRow } from '@plumbline/contracts'
import { useLive } from '../live'
import { mayUse, offers, useSession } from '../session'
import { Button } from '../ui/controls'
import { Problem } from '../ui/problem'
import { duration } from '../ui/time'
import { type DeskAddress, filterNames, searchOf, useDeskAddress } from './address'
import { BulkDecisionBar } from './bulk'
import { useDecisions } from './decisions'
import { FilterBar } from './filters'
import { Help } from './help'
import { Item, itemKey } from './item'
import { useKeys } from '../ui/key-bindings'
import { isFree } from './labels'
import { QueueList } from './queue'
import { type Queue, useQueue } from './queue-data'
import { Search } from './search'
import { type Selection, useSelection } from './selection'
import { TakeWork } from './take-work'
import { FailedDecision, UndoBar } from './undo'
import { useMedia } from './use-media'
import { useHeldCount } from '../shell/use-held-count'
import { useTitle } from '../ui/title'
import './desk.css'

const nextFreeRow = (
  rows: ReviewRow[],
  runId: string | undefined,
  by: 1 | -1,
  { who, takesWork }: { who: string; takesWork: boolean },
  isDecided: (row: ReviewRow) => boolean,
) => {
  const at = rows.findIndex((row) => row.runId === runId)
  const ordered =
    by === 1 ? [...rows.slice(at + 1), ...rows.slice(0, Math.max(0, at))] : rows.slice(0, Math.max(0, at)).reverse()
  const free = ordered.filter((row) => isFree(row, who) && !isDecided(row))
  return (takesWork && free.find(({ assignee }) => (assignee ?? who) === who)) || free[0]
}

const HiddenAnswers = ({ total, tags }: NonNullable<ReviewList['hidden']>) => (
  <section className="teach">
    <h2>{total === 1 ? '1 held answer is hidden from you' : `${total} held answers are hidden from you`}</h2>
    <p>
      Your key lacks the required access tags: <b>{tags.map((tag) => (tag === '*' ? '* (all)' : tag)).join(', ')}</b>.
      Ask an admin for a key with these tags.
    </p>
  </section>
)

const NoHeldAnswers = () => (
  <section className="teach">
    <h2>No held answers</h2>
    <p>
      Every answer is checked against the documents before anyone reads it. An answer that fails the check waits here
      until you approve it, edit it, send it back or reject it. Until then, the answer is not released.
    </p>
    <p>
      <Link href="~/">Ask a question</Link> to try this. Held answers appear here automatically.
    </p>
  </section>
)

const EmptyQueue = ({ hidden, address }: { hidden: ReviewList['hidden']; address: DeskAddress }) => {
  if (filterNames.some((name) => address.filters[name]))
    return (
      <section className="teach">
        <h2>No held answer matches these filters</h2>
        <Button main onPress={address.clear}>
          Clear filters
        </Button>
      </section>
    )
  return hidden ? <HiddenAnswers {...hidden} /> : <NoHeldAnswers />
}

const OpenFirst = ({ first, onStart }: { first: ReviewRow | undefined; onStart: () => void }) =>
  first ? (
    <section className="teach">
      <h2>Next to review</h2>
      <p className="held-question">{cleanName(first.question)}</p>
      <Button main hotkey="J" onPress={onStart}>
        Open this answer
      </Button>
      <p className="small soft">
        While you have an item open, only you can decide on it. <kbd>?</kbd> shows all shortcuts.
      </p>
    </section>
  ) : (
    <section className="teach">
      <h2>No answer left to review</h2>
      <p>Every held answer is already decided, or another reviewer has it open.</p>
    </section>
  )

const summaryOf = ({ counts, hidden, oldestAgeMs }: NonNullable<Queue['summary']>): string => {
  const { due = 0, taken = 0 } = counts
  return [
    due > 0 && `${due} due today`,
    taken > 0 && `${taken} opened by others`,
    hidden && `${hidden.total} hidden from you`,
    oldestAgeMs !== null && `oldest held for ${duration(oldestAgeMs)}`,
  ]
    .filter(Boolean)
    .join(' · ')
}

type HeaderProps = { queue: Queue; address: DeskAddress; onHelp: () => void; onLeave: () => void }
const Header = ({ queue: { summary }, address, onHelp, onLeave }: HeaderProps) => {
  const search = useRef<HTMLInputElement>(null)
  const { me } = useSession()
  useKeys({ '/': () => search.current?.focus() })
  const { total = 0, escalated = 0 } = summary?.counts ?? {}
  const found = address.filters.words ? 'found' : `held ${total === 1 ? 'answer' : 'answers'}`
  return (
    <header className="desk-head">
      {address.runId && (
        <Link href={address.addressOf()} className="back" onClick={onLeave}>
          All held answers
        </Link>
      )}
      <h1>{summary ? `${total} ${found}` : 'Held answers'}</h1>
      <span className="small soft">
        {escalated > 0 && (
          <>
            <Link href={`/${searchOf({ order: 'deadline', escalated: 'true' })}`} className="bad">
              {escalated} overdue
            </Link>
            {' · '}
          </>
        )}
        {summary && summaryOf(summary)}
      </span>
      <Search ref={search} address={address} />
      <span className="desk-links">
        {offers(me, 'cases') && <Link href="~/desk/cases">Cases</Link>}
        <Link href="~/desk/flags">Flags</Link>
        {mayUse(me, 'admin') && <Link href="~/desk/rules">Rules</Link>}
        <Button quiet onPress={onHelp} hotkey="?">
          Shortcuts
        </Button>
      </span>
      {summary?.yours && <TakeWork yours={summary.yours} address={address} />}
      <FilterBar address={address} counts={summary?.counts} who={me.name} />
    </header>
  )
}

const usePrefetch = (next: string | undefined): void => {
  const { client } = useSession()
  const queries = useQueryClient()
  useEffect(() => {
    if (next !== undefined)
      void queries.prefetchQuery({ queryKey: itemKey(next), queryFn: ({ signal }) => client.review(next, { signal }) })
  }, [client, queries, next])
}

const useFirstItem = (address: DeskAddress, next: ReviewRow | undefined, isResting: boolean): void => {
  const isWide = useMedia('(min-width: 761px)')
  useEffect(() => {
    if (isWide && !isResting && address.runId === undefined && next) address.open(next.runId, { replace: true })
  }, [isWide, isResting, address, next])
}

const useDesk = () => {
  const { me } = useSession()
  const address = useDeskAddress()
  const queue = useQueue(address.filters)
  const [isResting, setResting] = useState(false)
  const takesWork = queue.summary?.yours?.atMost !== undefined
  const go = (by: 1 | -1) =>
    nextFreeRow(queue.rows, address.runId, by, { who: me.name, takesWork }, (row) =>
      decisions.isDecided(row.runId, row.taskId),
    )
  const decisions = useDecisions(
    (runIds) => {
      // Open the next item only if the reviewer has not opened a different item in the meantime.
      if (address.runId !== undefined && runIds.includes(address.runId)) address.open(go(1)?.runId)
    },
    (runId) => address.open(runId),
  )
  const next = go(1)
  usePrefetch(address.runId === undefined ? undefined : next?.runId)
  useFirstItem(address, next, isResting)
  const move = (by: 1 | -1) => () => {
    const row = go(by)
    if (row) address.open(row.runId)
  }
  const leave = (): void => setResting(true)
  const putBack = (): void => {
    if (!next) leave()
    address.open(next?.runId)
  }
  return { me, address, queue, decisions, next, move, leave, putBack }
}

const selectionKeys = ({ rows }: Queue, runId: string | undefined, selection: Selection) => {
  const toggle = (isRange: boolean) => (): void =>
    selection.toggle(
      rows.findIndex((row) => row.runId === runId),
      isRange,
    )
  return { v: toggle(false), V: toggle(true) }
}

const HeldAnswers = () => {
  const heldCount = useHeldCount()
  useTitle(heldCount > 0 ? `(${heldCount}) Desk` : 'Desk')
  useLive({ desk: true })
  const { me, address, queue, decisions, next, move, leave, putBack } = useDesk()
  const selection = useSelection(queue.rows, me.name)
  const [helps, setHelps] = useState(false)
  const { last, undo } = decisions
  useKeys({
    J: move(1),
    K: move(-1),
    u: last?.until && !undo.isPending ? () => undo.mutate(last) : undefined,
    '?': () => setHelps(true),
    ...selectionKeys(queue, address.runId, selection),
  })
  const isEmpty = queue.summary !== undefined && queue.count === 0
  return (
    <main className={`desk${address.runId ? ' has-item' : ''}`}>
      <Header queue={queue} address={address} onHelp={() => setHelps(true)} onLeave={leave} />
      <QueueList queue={queue} address={address} who={me.name} selection={selection} />
      <div className="item">
        {queue.error && <Problem error={queue.error} />}
        {address.runId ? (
          <Item key={address.runId} runId={address.runId} decisions={decisions} onPutBack={putBack} onNext={move(1)} />
        ) : isEmpty ? (
          <EmptyQueue hidden={queue.summary?.hidden} address={address} />
        ) : (
          queue.summary && <OpenFirst first={next} onStart={move(1)} />
        )}
      </div>
      <BulkDecisionBar selection={selection} decisions={decisions} />
      <FailedDecision {...decisions} openRunId={address.runId} />
      <UndoBar {...decisions} />
      <Help isOpen={helps} onChange={setHelps} />
    </main>
  )
}

const Cases = lazy(() => import('./cases/page').then(({ CasesPage }) => ({ default: CasesPage })))
const Flags = lazy(() => import('./cases/flags').then(({ FlagsPage }) => ({ default: FlagsPage })))

export const DeskPage = () => (
  <Switch>
    <Route path="/cases" nest component={Cases} />
    <Route path="/flags" component={Flags} />
    <Route component={HeldAnswers} />
  </Switch>
)
