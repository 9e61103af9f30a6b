import { type KeyboardEvent, useEffect, useState } from 'react'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { ThreadSummary } from '@plumbline/contracts'
import { mayUse, useSession } from '../session'
import { Button, Field } from '../ui/controls'
import { Problem } from '../ui/problem'
import { fromNow } from '../ui/time'

const statuses: Partial<Record<NonNullable<ThreadSummary['lastStatus']>, string>> = {
  queued: 'waiting',
  running: 'running',
  parked: 'held',
  needs_input: 'needs input',
  unanswered: 'no answer',
}

const useChange = (id: string) => {
  const { client } = useSession()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (title: string | null) =>
      title === null ? client.removeThread(id) : client.renameThread(id, { title }),
    onSuccess: async (_, title) => {
      if (title === null) queries.removeQueries({ queryKey: ['thread', id] })
      else await queries.invalidateQueries({ queryKey: ['thread', id] })
      await queries.invalidateQueries({ queryKey: ['threads'] })
    },
  })
}

const Row = ({ thread: { id, title, runs, lastStatus, updatedAt } }: { thread: ThreadSummary }) => {
  const { me } = useSession()
  const [state, setState] = useState<'shown' | 'renamed' | 'removed'>('shown')
  const [name, setName] = useState(title)
  const change = useChange(id)
  const rename = (): void => {
    if (name.trim() === '') return
    change.mutate(name.trim())
    setState('shown')
  }
  const onKeyDown = ({ key }: KeyboardEvent): void => {
    if (key === 'Enter') rename()
    if (key === 'Escape') setState('shown')
  }
  const status = lastStatus && statuses[lastStatus]
  return (
    <li>
      {state === 'renamed' ? (
        <span className="rename">
          <Field label="Title" value={name} onChange={setName} onKeyDown={onKeyDown} maxLength={300} autoFocus />
          <Button onPress={rename}>Save</Button>
        </span>
      ) : (
        <Link href={`/threads/${encodeURIComponent(id)}`}>{title}</Link>
      )}
      <span className="small soft">
        {[`${runs} ${runs === 1 ? 'question' : 'questions'}`, fromNow(updatedAt), status].filter(Boolean).join(' · ')}
      </span>
      {mayUse(me, 'asker') && state === 'shown' && (
        <span className="small actions">
          <Button quiet aria-label={`Rename ${title}`} onPress={() => setState('renamed')}>
            Rename
          </Button>
          <Button quiet aria-label={`Delete ${title}`} onPress={() => setState('removed')}>
            Delete
          </Button>
        </span>
      )}
      {state === 'removed' && (
        <span className="small actions" role="group" aria-label={`Delete ${title}?`}>
          Delete this thread? Its answers are deleted later, when their retention period ends.
          <Button quiet autoFocus onPress={() => change.mutate(null)}>
            Delete thread
          </Button>
          <Button quiet onPress={() => setState('shown')}>
            Do not delete
          </Button>
        </span>
      )}
      {change.error && <Problem error={change.error} />}
    </li>
  )
}

export const Threads = () => {
  const { client } = useSession()
  const { data, error, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['threads'],
    queryFn: ({ signal, pageParam }) => client.threads({ ...(pageParam && { cursor: pageParam }), signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
  })
  const threads = data?.pages.flatMap(({ items }) => items) ?? []
  const hasThreads = threads.length > 0
  useEffect(() => {
    if (hasThreads && location.hash === '#earlier') document.getElementById('earlier')?.scrollIntoView()
  }, [hasThreads])
  if (error) return <Problem error={error} />
  if (!hasThreads) return null
  return (
    <section className="threads" id="earlier" aria-label="Earlier questions">
      <h2>Earlier questions</h2>
      <ul>
        {threads.map((thread) => (
          <Row key={thread.id} thread={thread} />
        ))}
      </ul>
      {hasNextPage && <Button onPress={() => void fetchNextPage()}>Show more</Button>}
    </section>
  )
}
