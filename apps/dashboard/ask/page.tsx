import { useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { randomId } from '@plumbline/client'
import { mayUse, useSession } from '../session'
import { isMissing, Missing } from './missing'
import { Problem } from '../ui/problem'
import { useTitle } from '../ui/title'
import { AskForm, newAsk, SentQuestion, useAsk } from './ask-form'
import { preloadProse } from './prose'
import { useRun, useThread } from './run'
import { RunCard } from './run-card'
import { type OpenSource, SourcePanel } from './source-panel'
import { useOtherTabs } from './thread-tabs'
import { Threads } from './threads'
import { Welcome } from './welcome'
import './ask.css'

const useScrollToRun = (ids: string[]): void => {
  const last = ids.length > 1 ? ids.at(-1) : undefined
  useEffect(() => {
    const named = location.hash.slice(1)
    document.getElementById(named === '' ? (last ?? '') : named)?.scrollIntoView({ block: 'start' })
  }, [last, ids.length])
}

const StartPage = () => {
  const [threadId] = useState(() => randomId())
  const [, navigate] = useLocation()
  const asking = useAsk(threadId, () => navigate(`/threads/${threadId}`))
  useTitle()
  return (
    <div className="conversation">
      <h1>What do you want to know?</h1>
      <AskForm asking={asking} inThread={false} />
      <SentQuestion asking={asking} />
      {!asking.isPending && (
        <>
          <Welcome onChoose={({ question, ...where }) => asking.mutate(newAsk(question, where))} />
          <Threads />
        </>
      )}
    </div>
  )
}

const ThreadPage = ({ id, onOpen }: { id: string; onOpen: (source: OpenSource) => void }) => {
  const { me } = useSession()
  const { data, error, refetch } = useThread(id)
  const asking = useAsk(id)
  const runs = data?.items.map(({ id }) => id) ?? []
  const again = mayUse(me, 'asker') && { onAskAgain: (question: string) => asking.mutate(newAsk(question)) }
  useOtherTabs(id)
  useScrollToRun(runs)
  useTitle(data?.title)
  return (
    <div className="conversation">
      <header>
        <h1 className="unseen">{data?.title ?? 'Thread'}</h1>
        <Link href="/" className="button">
          New question
        </Link>
        <Link href="/#earlier" className="small soft">
          Earlier questions
        </Link>
      </header>
      {error && !data && (isMissing(error) ? <Missing /> : <Problem error={error} retry={() => void refetch()} />)}
      {runs.map((id) => (
        <RunCard key={id} id={id} onOpen={onOpen} {...again} />
      ))}
      <SentQuestion asking={asking} />
      {data && <AskForm asking={asking} inThread />}
    </div>
  )
}

const SingleRunPage = ({ id, onOpen }: { id: string; onOpen: (source: OpenSource) => void }) => {
  const { data: run } = useRun(id)
  useTitle(run?.question)
  return (
    <div className="conversation">
      <header>
        <h1 className="unseen">Question</h1>
        {run?.threadId !== undefined && (
          <Link href={`/threads/${encodeURIComponent(run.threadId)}`}>Open the thread</Link>
        )}
      </header>
      <RunCard id={id} onOpen={onOpen} />
    </div>
  )
}

export const AskPage = ({ thread, run }: { thread?: string; run?: string }) => {
  const [source, setSource] = useState<OpenSource | null>(null)
  useEffect(preloadProse, [])
  return (
    <main className={source ? 'ask with-source' : 'ask'}>
      {thread !== undefined && <ThreadPage id={thread} onOpen={setSource} />}
      {run !== undefined && <SingleRunPage id={run} onOpen={setSource} />}
      {thread === undefined && run === undefined && <StartPage />}
      {source && (
        <SourcePanel open={source} onMove={(n) => setSource({ ...source, n })} onClose={() => setSource(null)} />
      )}
    </main>
  )
}
