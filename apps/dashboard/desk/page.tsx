import { lazy, useEffect, useRef, useState } from 'react'
import { Link, Route, Switch } from 'wouter'
import { useQueryClient } from '@tanstack/react-query'
import { cleanName, type ReviewRow } from '@plumbline/contracts'
import { useLive } from '../live'
import { mayUse, useSession } from '../session'
import { Button } from '../ui/controls'
import { Problem } from '../ui/problem'
import { duration } from '../ui/time'
import { type Address, filterNames, useAddress } from './address'
import { Bulk, mostAtOnce } from './bulk'
import { useDeciding } from './deciding'
import { FilterBar } from './filters'
import { Help } from './help'
import { Item, itemKey } from './item'
import { useKeys } from './keys'
import { QueueList } from './queue'
import { type Queue, useQueue } from './queue-data'
import { UndoBar } from './undo'
import { isFree } from './words'
import './desk.css'

/** The item after (or before) the open one that this reviewer can decide; from the end it goes on at the beginning. */
const neighbour = (
  rows: ReviewRow[],
  runId: string | undefined,
  by: 1 | -1,
  who: string,
  isDecided: (row: ReviewRow) => boolean,
) => {
  const at = rows.findIndex((row) => row.runId === runId)
  const inTurn =
    by === 1 ? [...rows.slice(at + 1), ...rows.slice(0, Math.max(0, at))] : rows.slice(0, Math.max(0, at)).reverse()
  return inTurn.find((row) => isFree(row, who) && !isDecided(row))
}

const Nothing = ({ isFiltered, address }: { isFiltered: boolean; address: Address }) => (
  <section className="teach">
    <h2>{isFiltered ? 'Nothing is held that fits these filters' : 'Nothing is held'}</h2>
    {isFiltered ? (
      <Button main onPress={address.clear}>
        Show all
      </Button>
    ) : (
      <>
        <p>
          Every answer is checked against the documents before anyone reads it. One that does not stand waits here, and
          its asker sees that it waits and not a word of it, until you approve it, edit it, send it back or reject it.
        </p>
        <p>
          <Link href="~/">Ask a question</Link> to try: what is held appears here by itself.
        </p>
      </>
    )}
  </section>
)

const Start = ({ first, onStart }: { first: ReviewRow | undefined; onStart: () => void }) =>
  first ? (
    <section className="teach">
      <h2>Next to decide</h2>
      <p className="held-question">{cleanName(first.question)}</p>
      <Button main hotkey="J" onPress={onStart}>
        Open it
      </Button>
      <p className="small soft">
        An open item is yours until you decide it, put it back or leave it. <kbd>?</kbd> shows all keys.
      </p>
    </section>
  ) : (
    <section className="teach">
      <h2>Others have all of it</h2>
      <p>Everything that is held is open at another reviewer, or its decision is about to count.</p>
    </section>
  )

type HeaderProps = { queue: Queue; address: Address; onHelp: () => void; onBulk: () => void }
const Header = ({ queue: { summary }, address, onHelp, onBulk }: HeaderProps) => {
  const first = useRef<HTMLSelectElement>(null)
  const { me } = useSession()
  useKeys({ '/': () => first.current?.focus() })
  const total = summary?.counts.total ?? 0
  return (
    <header className="desk-head">
      {address.runId && (
        <Link href={address.addressOf()} className="back">
          All held answers
        </Link>
      )}
      <h1>{summary ? `${total} held ${total === 1 ? 'answer' : 'answers'}` : 'Held answers'}</h1>
      <span className="small soft">
        {typeof summary?.oldestAgeMs === 'number' && `oldest ${duration(summary.oldestAgeMs)}`}
      </span>
      <FilterBar ref={first} address={address} counts={summary?.counts} who={me.name} />
      {address.filters.reason && total > 0 && <Button onPress={onBulk}>Decide several</Button>}
      <Link href="~/desk/cases">Cases</Link>
      <Link href="~/desk/flags">Flags</Link>
      {mayUse(me, 'admin') && <Link href="~/desk/rules">Rules</Link>}
      <span className="keys">
        <Button quiet onPress={onHelp} hotkey="?">
          Keys
        </Button>
      </span>
    </header>
  )
}

/** Reads the next item before it is opened. */
const usePrefetch = (next: string | undefined): void => {
  const { client } = useSession()
  const queries = useQueryClient()
  useEffect(() => {
    if (next !== undefined)
      void queries.prefetchQuery({ queryKey: itemKey(next), queryFn: ({ signal }) => client.review(next, { signal }) })
  }, [client, queries, next])
}

const useDesk = () => {
  const { me } = useSession()
  const address = useAddress()
  const queue = useQueue(address.filters)
  const go = (by: 1 | -1) =>
    neighbour(queue.rows, address.runId, by, me.name, (row) => deciding.isDecided(row.runId, row.taskId))
  const deciding = useDeciding(
    (runId) => {
      // Who has gone on by hand in the meantime stays there.
      if (runId === address.runId) address.open(go(1)?.runId)
    },
    (runId) => address.open(runId),
  )
  const next = go(1)
  usePrefetch(address.runId === undefined ? undefined : next?.runId)
  const move = (by: 1 | -1) => () => {
    const row = go(by)
    if (row) address.open(row.runId)
  }
  return { me, address, queue, deciding, next, move }
}

const HeldAnswers = () => {
  useLive({ desk: true })
  const { me, address, queue, deciding, next, move } = useDesk()
  const [helps, setHelps] = useState(false)
  const [chosen, setChosen] = useState<ReadonlyMap<string, ReviewRow> | null>(null)
  const { last, undo } = deciding
  useKeys({
    J: move(1),
    K: move(-1),
    u: last?.until && !undo.isPending ? () => undo.mutate(last) : undefined,
    '?': () => setHelps(true),
  })
  const { reason } = address.filters
  const isBulk = chosen !== null && reason !== undefined
  const choose = (row: ReviewRow): void => {
    const all = new Map(chosen)
    if (!all.delete(row.runId) && all.size < mostAtOnce) all.set(row.runId, row)
    setChosen(all)
  }
  const isEmpty = queue.summary !== undefined && queue.count === 0
  return (
    <main className={`desk${address.runId && !isBulk ? ' has-item' : ''}`}>
      <Header queue={queue} address={address} onHelp={() => setHelps(true)} onBulk={() => setChosen(new Map())} />
      <QueueList queue={queue} address={address} who={me.name} choosing={isBulk ? { chosen, choose } : null} />
      <div className="item">
        {queue.error && <Problem error={queue.error} />}
        {isBulk ? (
          <Bulk
            reason={reason}
            rows={queue.rows.filter((row) => isFree(row, me.name))}
            chosen={chosen}
            onChosen={setChosen}
            onClose={() => setChosen(null)}
          />
        ) : address.runId ? (
          <Item
            key={address.runId}
            runId={address.runId}
            deciding={deciding}
            onPutBack={() => address.open()}
            onNext={move(1)}
          />
        ) : isEmpty ? (
          <Nothing isFiltered={filterNames.some((name) => address.filters[name])} address={address} />
        ) : (
          queue.summary && <Start first={next} onStart={move(1)} />
        )}
      </div>
      <UndoBar {...deciding} />
      <Help isOpen={helps} onChange={setHelps} />
    </main>
  )
}

const Cases = lazy(() => import('./cases/page').then(({ Cases }) => ({ default: Cases })))
const Flags = lazy(() => import('./cases/flags').then(({ Flags }) => ({ default: Flags })))

export const Desk = () => (
  <Switch>
    <Route path="/cases" nest component={Cases} />
    <Route path="/flags" component={Flags} />
    <Route component={HeldAnswers} />
  </Switch>
)
