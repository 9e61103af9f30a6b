import { type ReactNode, useState } from 'react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { DocumentView } from '@plumbline/contracts'
import { Link, useLocation } from 'wouter'
import { useLive } from '../live'
import { mayUse, offers, useSession } from '../session'
import { Button, FileButton } from '../ui/controls'
import { Problem } from '../ui/problem'
import { fromNow } from '../ui/time'
import { Warnings } from '../ui/warnings'
import { ConfirmButton } from './confirm-button'
import { DocumentText } from './document-text'
import { collectionPath, countText, isInProgress, reasonOf, sizeOf, statusOf } from './labels'
import { useTitle } from '../ui/title'

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

const sourceOf = ({ source }: DocumentView): string => {
  if (source?.kind === 'file') return `${source.file}, ${sizeOf(source.bytes)}`
  return source?.kind === 'url' ? source.url : 'pasted text'
}

const vectorProgress = ({ done, of, secondsLeft }: NonNullable<DocumentView['vectors']>): string => {
  const left = secondsLeft === undefined ? '' : `, about ${secondsLeft} s left`
  return `${done.toLocaleString('en')} of ${of.toLocaleString('en')} passages${left}`
}

const Facts = ({ view }: { view: DocumentView }) => {
  const { name, format, version, served, date, access = [], metadata, ownMetadata, progress, vectors, updatedAt } = view
  return (
    <dl className="facts">
      <Fact name="Name">{name ?? 'none (identified by its content)'}</Fact>
      <Fact name="Source">{sourceOf(view)}</Fact>
      {format && <Fact name="Format">{format}</Fact>}
      <Fact name="Passages">{progress.passages.toLocaleString('en')}</Fact>
      {vectors && <Fact name="Embedding progress">{vectorProgress(vectors)}</Fact>}
      {version && (
        <Fact name="Version">
          <span className="mono">{version}</span>
          {served && (
            <>
              {' '}
              (answers still use <span className="mono">{served}</span>)
            </>
          )}
        </Fact>
      )}
      {date && <Fact name="Date">{date}</Fact>}
      <Fact name="Readable by">
        {access.length > 0 ? `keys with the access tag ${access.join(' or ')}` : 'everyone in this tenant'}
      </Fact>
      {Object.entries({ ...ownMetadata, ...metadata }).map(([key, value]) => (
        <Fact key={key} name={key}>
          {value}
        </Fact>
      ))}
      <Fact name="Updated">
        <time dateTime={updatedAt}>{fromNow(updatedAt)}</time>
      </Fact>
    </dl>
  )
}

/** Returns the fields that a new version keeps. The most important one is `access`: who may read the document. */
const retainedFields = ({ collection, name, metadata, date, supersedes, access }: DocumentView) => ({
  collection,
  ...(name !== undefined && { name }),
  ...(metadata && { metadata }),
  ...(date && { date }),
  ...(supersedes && { supersedes }),
  ...(access && { access }),
})

const Replace = ({ view, change }: { view: DocumentView; change: (doing: () => Promise<unknown>) => void }) => {
  const { client } = useSession()
  const { source, name } = view
  if (source?.kind === 'url')
    return (
      <Button onPress={() => change(() => client.addDocument({ ...retainedFields(view), url: source.url }))}>
        Fetch the page again
      </Button>
    )
  if (name === undefined) return null
  const replace = ([file]: readonly File[]): void => {
    if (file) change(() => client.uploadDocument(file, file.name, retainedFields(view)))
  }
  return <FileButton onFiles={replace}>Replace file</FileButton>
}

type ActionsProps = { view: DocumentView; setDeleting: (isDeleting: boolean) => void }

const Actions = ({ view, setDeleting }: ActionsProps) => {
  const { client, me } = useSession()
  const queries = useQueryClient()
  const [, go] = useLocation()
  const { id, collection, status, title } = view
  const again = async (): Promise<void> =>
    void (await Promise.all(
      [['document', id], ['documents']].map((queryKey) => queries.invalidateQueries({ queryKey })),
    ))
  const { mutate, isPending, error } = useMutation({
    mutationFn: (doing: () => Promise<unknown>) => doing(),
    onSuccess: again,
  })
  const remove = async (): Promise<void> => {
    setDeleting(true)
    await client.removeDocument(id).catch((error: unknown) => {
      setDeleting(false)
      throw error
    })
    for (const queryKey of [['documents'], ['collections']]) queries.removeQueries({ queryKey })
    go(collectionPath(collection))
    queries.removeQueries({ queryKey: ['document', id] })
  }
  return (
    <>
      <div className="actions">
        {status === 'failed' && (
          <Button main onPress={() => mutate(() => client.retryDocument(id))} isDisabled={isPending}>
            Retry
          </Button>
        )}
        {!view.from && <Replace view={view} change={mutate} />}
        {status === 'indexed' && (
          <Button onPress={() => mutate(() => client.reindexDocument(id))} isDisabled={isPending}>
            Re-index document
          </Button>
        )}
        {!view.from && (
          <ConfirmButton action="Delete document" title={`Delete ${title}?`} run={remove}>
            <p>This deletes the document with its passages and files. Answers no longer use it.</p>
          </ConfirmButton>
        )}
      </div>
      {view.from && (
        <p className="soft small">
          Imported from {view.from.path} by the source {view.from.source}.{' '}
          {offers(me, 'sources')
            ? 'Change or delete the document in that source.'
            : 'Sources are turned off, so the document can only be deleted together with its collection.'}
        </p>
      )}
      {error && <Problem error={error} />}
    </>
  )
}

const Status = ({ view }: { view: DocumentView }) => (
  <p role="status" className={view.status === 'failed' ? 'bad' : view.status === 'indexed' ? 'good' : 'soft'}>
    {statusOf(view)}
    {isInProgress(view) && <progress max={100} value={view.progress.percent} aria-label="Progress" />}
  </p>
)

const DocumentProblems = ({ view }: { view: DocumentView }) => (
  <>
    {view.status === 'failed' && <p className="problem">{reasonOf(view)}</p>}
    <Warnings warnings={view.warnings} />
    {view.notes && (
      <section className="notes" aria-label="How the document was read">
        <b>{countText(view.notes.length, 'note')} on how the document was read</b>
        <ul>
          {view.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      </section>
    )}
  </>
)

export const DocumentPage = ({ id }: { id: string }) => {
  const { client, me } = useSession()
  const [isDeleting, setDeleting] = useState(false)
  useLive({ documents: isDeleting ? [] : [id] })
  const {
    data: view,
    error,
    refetch,
  } = useQuery({
    queryKey: ['document', id],
    queryFn: ({ signal }) => client.document(id, { signal }),
    enabled: !isDeleting,
  })
  useTitle(view?.title ?? 'Document')
  return (
    <main className="page documents">
      <p className="trail small">
        <Link href="/">Documents</Link>
        {view && (
          <>
            {' › '}
            <Link href={collectionPath(view.collection)}>{view.collection}</Link>
          </>
        )}
      </p>
      {error && <Problem error={error} retry={() => void refetch()} />}
      {view && (
        <>
          <header className="head">
            <h1>{view.title}</h1>
            <Status view={view} />
          </header>
          <DocumentProblems view={view} />
          {mayUse(me, 'admin') && <Actions view={view} setDeleting={setDeleting} />}
          <Facts view={view} />
          {!isDeleting && <DocumentText view={view} />}
        </>
      )}
    </main>
  )
}
