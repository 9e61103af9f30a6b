import { useEffect, useState } from 'react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { placeOfSource, type SourceLastRun, type SourceView } from '@plumbline/contracts'
import { Link } from 'wouter'
import { useSession } from '../session'
import { Button } from '../ui/controls'
import { Problem } from '../ui/problem'
import { fromNow } from '../ui/time'
import { ConfirmButton } from './confirm-button'
import { collectionPath, countText } from './labels'
import { SourceForm } from './source-form'
import { countsText, scheduleText, stateOfSource } from './source-labels'

const soonMs = 1_000
const idleMs = 15_000

const Failures = ({ last: { failures, counts } }: { last: SourceLastRun }) => (
  <details className="small">
    <summary>{countText(counts.failed, 'file')} failed</summary>
    <ul>
      {failures.map(({ path, error }) => (
        <li key={path}>
          <b className="mono">{path}</b> {error}
        </li>
      ))}
      {counts.failed > failures.length && <li>and {countText(counts.failed - failures.length, 'more', 'more')}</li>}
    </ul>
  </details>
)

const LastRun = ({ last }: { last: SourceLastRun | undefined }) => (
  <>
    <p className="small">
      {last ? `Last import ${fromNow(last.endedAt)}: ${countsText(last.counts)}.` : 'Not imported yet.'}
    </p>
    {last?.problem !== undefined && (
      <p className="problem" role="note">
        {last.problem}
      </p>
    )}
    {last && last.counts.failed > 0 && <Failures last={last} />}
  </>
)

type SourceRequest = { mutate: (asking: () => Promise<unknown>) => void; isPending: boolean; error: unknown }
const useSourceRequest = (): SourceRequest => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (asking: () => Promise<unknown>) => asking(),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['sources'] }),
  })
}

const Actions = ({ source, ask, change }: { source: SourceView; ask: SourceRequest; change: () => void }) => {
  const { client } = useSession()
  const queries = useQueryClient()
  const { name, last, status, documents } = source
  const isBusy = status !== 'idle' || ask.isPending
  const remove = async (documents: 'keep' | 'remove'): Promise<void> => {
    await client.removeSource(name, documents)
    await queries.invalidateQueries({ queryKey: ['sources'] })
  }
  return (
    <div className="actions">
      <Button
        onPress={() => ask.mutate(() => client.runSource(name))}
        isDisabled={isBusy}
        aria-label={`Import now: ${name}`}
      >
        Import now
      </Button>
      {last?.toConfirm !== undefined && status === 'idle' && (
        <ConfirmButton
          action={`Remove ${countText(last.toConfirm, 'missing document')}`}
          title={`Remove ${countText(last.toConfirm, 'document')}?`}
          run={async () => ask.mutate(() => client.runSource(name, { confirmRemovals: true }))}
        >
          <p>The source no longer has these documents. Answers will no longer use them.</p>
        </ConfirmButton>
      )}
      <Button onPress={change} isDisabled={status === 'removing'} aria-label={`Change settings: ${name}`}>
        Change settings
      </Button>
      {status !== 'removing' && (
        <>
          <ConfirmButton action="Remove source only" title={`Remove the source ${name}?`} run={() => remove('keep')}>
            <p>The source no longer updates {countText(documents, 'document')}. They stay here like uploaded files.</p>
          </ConfirmButton>
          <ConfirmButton
            action="Remove source and documents"
            title={`Remove ${name} with its documents?`}
            typed={name}
            run={() => remove('remove')}
          >
            <p>This also deletes {countText(documents, 'document')}. It cannot be undone.</p>
          </ConfirmButton>
        </>
      )}
    </div>
  )
}

const Row = ({ source }: { source: SourceView }) => {
  const ask = useSourceRequest()
  const [changes, setChanges] = useState(false)
  const { name, settings, collection, documents, schedule, nextRunAt, running } = source
  return (
    <li className="card source" aria-label={name}>
      <div className="head">
        <b>{name}</b>
        <span className="mono small url">{placeOfSource(settings)}</span>
        <span className="soft small" role="status">
          {stateOfSource(source)}
        </span>
      </div>
      {running && running.of > 0 && (
        <progress max={running.of} value={running.done} aria-label={`Progress of ${name}`} />
      )}
      <p className="small soft">
        {countText(documents, 'document')} in <Link href={collectionPath(collection)}>{collection}</Link> · Schedule:{' '}
        {scheduleText(schedule)}
        {nextRunAt !== undefined && `, next ${fromNow(nextRunAt)}`}
      </p>
      <LastRun last={source.last} />
      {ask.error !== null && ask.error !== undefined && <Problem error={ask.error} />}
      <Actions source={source} ask={ask} change={() => setChanges(!changes)} />
      {changes && <SourceForm source={source} close={() => setChanges(false)} />}
    </li>
  )
}

export const Sources = () => {
  const { client } = useSession()
  const [adds, setAdds] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: ['sources'],
    queryFn: ({ signal }) => client.sources({ signal }),
    refetchInterval: ({ state }) => (state.data?.items.some(({ status }) => status !== 'idle') ? soonMs : idleMs),
  })
  const queries = useQueryClient()
  const documentCounts = data?.items.map(({ documents }) => documents).join()
  useEffect(() => void queries.invalidateQueries({ queryKey: ['collections'] }), [documentCounts, queries])
  return (
    <section className="sources" aria-labelledby="sources">
      <header className="head">
        <h2 id="sources">Sources</h2>
        <Button onPress={() => setAdds(!adds)} aria-expanded={adds}>
          Add a source
        </Button>
      </header>
      <p className="soft">Plumbline imports documents from these sources and follows their changes.</p>
      {adds && <SourceForm taken={data?.items.map(({ name }) => name) ?? []} close={() => setAdds(false)} />}
      {error && <Problem error={error} retry={() => void refetch()} />}
      {data?.items.length === 0 && !adds && (
        <p className="card empty">No sources yet. Add a folder, a bucket, a website or a Git repository.</p>
      )}
      <ul className="source-list">
        {data?.items.map((source) => (
          <Row key={source.name} source={source} />
        ))}
      </ul>
    </section>
  )
}
