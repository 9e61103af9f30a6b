import { useState } from 'react'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Flag } from '@plumbline/contracts'
import { Link } from 'wouter'
import { useLive } from '../../live'
import { usePeople } from '../../people'
import { useSession } from '../../session'
import { Button, Field, Select } from '../../ui/controls'
import { Problem } from '../../ui/problem'
import { fromNow } from '../../ui/time'
import { useFilters } from '../../ui/filters'
import { DeskLinks } from './links'
import { useTitle } from '../../ui/title'
import './cases.css'

const AskAgain = ({ id }: { id: string }) => {
  const { client } = useSession()
  const queries = useQueryClient()
  const [note, setNote] = useState<string | null>(null)
  const fix = useMutation({
    mutationFn: ({ note, reads }: { note: string; reads: boolean }) =>
      (reads ? client.rereadFlag : client.fixFlag)(id, note === '' ? {} : { note }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['desk', 'flags'] }),
  })
  if (note === null) return <Button onPress={() => setNote('')}>Ask again</Button>
  return (
    <form
      className="case-filters"
      onSubmit={(event) => {
        event.preventDefault()
        fix.mutate({ note: note.trim(), reads: false })
      }}
    >
      <Field label="How was the problem fixed? (optional)" value={note} onChange={setNote} autoFocus />
      <Button type="submit" isDisabled={fix.isPending}>
        Ask the question again
      </Button>
      <Button isDisabled={fix.isPending} onPress={() => fix.mutate({ note: note.trim(), reads: true })}>
        Reread documents, then ask
      </Button>
      <Button onPress={() => setNote(null)}>Cancel</Button>
      {fix.error && <Problem error={fix.error} />}
    </form>
  )
}

const RereadLine = ({ reread: { documents, problem } }: { reread: NonNullable<Flag['reread']> }) => (
  <p className="small soft">
    Documents read again: {documents.map(({ title, state }) => `${title} (${state})`).join(', ') || 'no document'}
    {problem !== undefined && `. The question was not asked again: ${problem}`}
  </p>
)

const FlagItem = ({ flag }: { flag: Flag }) => {
  const nameOf = usePeople()
  const { id, question, note, owners, collections, documents, flaggedAt, fix, reread } = flag
  return (
    <li className="card flag">
      <h2>{question}</h2>
      {note !== undefined && <blockquote>{note}</blockquote>}
      <p className="small soft">
        {owners.length > 0 ? `${owners.length === 1 ? 'Owner' : 'Owners'}: ${owners.join(', ')}` : 'No owner'} ·{' '}
        {collections.join(', ')} · <time dateTime={flaggedAt}>{fromNow(flaggedAt)}</time>
        {documents.length > 0 && ` · sources: ${documents.map(({ title }) => title).join(', ')}`}
      </p>
      {reread && <RereadLine reread={reread} />}
      {fix ? (
        <p>
          Asked again by {nameOf(fix.by)}, <time dateTime={fix.at}>{fromNow(fix.at)}</time>
          {fix.note !== undefined && `: ${fix.note}`} · <Link href={`~/runs/${fix.runId}`}>open the new run</Link>
        </p>
      ) : (
        (!reread || reread.problem !== undefined) && <AskAgain id={id} />
      )}
    </li>
  )
}

const FlagFilters = ({
  status,
  collection,
  set,
}: {
  status: Flag['status']
  collection: string
  set: (name: string, value: string) => void
}) => (
  <div className="case-filters">
    <Select
      label="Status"
      value={status}
      options={[
        ['open', 'open'],
        ['fixed', 'fixed'],
      ]}
      onChange={(value) => set('status', value === 'open' ? '' : value)}
    />
    <Field
      label="Collection"
      value={collection}
      onChange={(value) => set('collection', value.trim())}
      placeholder="all"
    />
  </div>
)

export const FlagsPage = () => {
  useTitle('Flagged answers')
  const { client } = useSession()
  useLive({ desk: true })
  const [filters, set] = useFilters()
  const status = filters.get('status') === 'fixed' ? 'fixed' : 'open'
  const collection = filters.get('collection') ?? ''
  const { data, error, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['desk', 'flags', status, collection],
    queryFn: ({ pageParam, signal }) =>
      client.flags({ status, ...(collection !== '' && { collection }), cursor: pageParam, limit: 50, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  })
  const items = data?.pages.flatMap((page) => page.items) ?? []
  return (
    <main className="page cases">
      <DeskLinks here="~/desk/flags" />
      <h1>Flagged answers</h1>
      <FlagFilters status={status} collection={collection} set={set} />
      {error && <Problem error={error} />}
      {data && items.length === 0 && (
        <p className="nothing">
          {status === 'open'
            ? 'No flagged answers. Answers marked “not useful” appear here. Fix the document, then ask again.'
            : 'No flagged answer has been fixed yet.'}
        </p>
      )}
      <ul className="flags">
        {items.map((flag) => (
          <FlagItem key={flag.id} flag={flag} />
        ))}
      </ul>
      {hasNextPage && <Button onPress={() => void fetchNextPage()}>Show more</Button>}
    </main>
  )
}
