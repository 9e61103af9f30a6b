import { type DocumentView, readFormats, type TakenDocument } from '@plumbline/contracts'
import { ProblemError } from '@plumbline/client'
import { Link } from 'wouter'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useSession } from '../session'
import { Button } from '../ui/controls'
import { documentPath, isInProgress, reasonOf, sizeOf, statusOf } from './labels'
import { type Upload, useUploads } from './uploads'
import { useDocuments } from './use-document'

const refusalOf = (error: unknown): { reason: string; mayPass: boolean } => {
  if (!(error instanceof ProblemError))
    return { reason: 'The upload failed: the connection was lost, or the file changed.', mayPass: true }
  const { status, detail } = error.problem
  if (status === 415)
    return {
      reason: `The format is unknown or cannot be read. Readable formats: ${readFormats}. Give the file the extension of its format and add it again.`,
      mayPass: false,
    }
  return { reason: detail, mayPass: status >= 429 }
}

export const useRetry = (id: string) => {
  const { client } = useSession()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => client.retryDocument(id),
    // Update only this document. A reload of the list might hide it, because the list is filtered.
    onSuccess: (view) => queries.setQueryData(['document', id], view),
  })
}

const StoredUpload = ({ document, view }: { document: TakenDocument; view: DocumentView }) => {
  const retry = useRetry(view.id)
  const stateText = document.taken === 'unchanged' && !isInProgress(view) ? 'Ready, unchanged' : statusOf(view)
  return (
    <>
      <Link href={documentPath(view.collection, view.id)}>{document.name ?? view.title}</Link>
      {view.status === 'failed' ? (
        <span />
      ) : (
        <progress max={100} value={view.status === 'indexed' ? 100 : view.progress.percent} aria-label={view.title} />
      )}
      <span className={view.status === 'failed' ? 'bad' : 'soft'}>{stateText}</span>
      {view.status === 'failed' && (
        <p className="reason">
          {reasonOf(view)}{' '}
          <Button quiet onPress={() => retry.mutate()} isDisabled={retry.isPending}>
            Retry
          </Button>
        </p>
      )}
    </>
  )
}

const RefusedUpload = ({ upload }: { upload: Upload }) => {
  const { again } = useUploads()
  const { reason, mayPass } = refusalOf(upload.error)
  return (
    <>
      <span>{upload.name}</span>
      <span />
      <span className="bad">Refused</span>
      <p className="reason">
        {reason}{' '}
        {mayPass && (
          <Button quiet onPress={() => again(upload)}>
            Retry
          </Button>
        )}
      </p>
    </>
  )
}

const sendingText = ({ state, bytes, sent = 0 }: Upload): string => {
  if (bytes === undefined) return state === 'sending' ? 'Sending' : 'Waiting'
  if (state === 'waiting') return `Waiting, ${sizeOf(bytes)}`
  return sent < bytes ? `Sending, ${sizeOf(sent)} of ${sizeOf(bytes)}` : `Sent ${sizeOf(bytes)}, storing`
}

const SendingUpload = ({ upload }: { upload: Upload }) => {
  const { name, bytes, state, sent = 0 } = upload
  // The size of pasted text is unknown, so the progress of sending it is unknown too.
  const isKnown = state === 'waiting' || bytes !== undefined
  return (
    <>
      <span>{name}</span>
      <progress aria-label={name} {...(isKnown && { max: bytes ?? 1, value: sent })} />
      <span className="soft">{sendingText(upload)}</span>
    </>
  )
}

const StoppedUpload = ({ upload }: { upload: Upload }) => (
  <>
    <span>{upload.name}</span>
    <span />
    <span className="warn">Stopped</span>
  </>
)

type Entry = { upload: Upload; view: DocumentView | undefined }

const Item = ({ upload, view }: Entry) => {
  if (upload.taken && view) return <StoredUpload document={upload.taken} view={view} />
  if (upload.state === 'stopped') return <StoppedUpload upload={upload} />
  return upload.state === 'refused' ? <RefusedUpload upload={upload} /> : <SendingUpload upload={upload} />
}

type UploadState = 'failed' | 'stopped' | 'in progress' | 'waiting' | 'ready'
const stateOrder: readonly UploadState[] = ['failed', 'stopped', 'in progress', 'waiting', 'ready']

const stateOf = ({ upload: { state }, view }: Entry): UploadState => {
  if (state === 'refused' || view?.status === 'failed') return 'failed'
  if (state === 'stopped' || state === 'waiting') return state
  return view?.status === 'indexed' ? 'ready' : 'in progress'
}

/** Returns the completed share. The upload of a file is the first half, and reading the file is the second half. */
const doneShare = (entry: Entry): number => {
  const { view, upload } = entry
  const { bytes = 1, sent = 0 } = upload
  if (['failed', 'ready'].includes(stateOf(entry))) return 1
  return view ? 0.5 + view.progress.percent / 200 : Math.min(0.5, sent / bytes / 2)
}

const useEntries = (collection: string): Entry[] => {
  const own = useUploads().uploads.filter((upload) => upload.collection === collection)
  const stored = own.flatMap(({ key, taken }) => (taken ? [{ key, taken }] : []))
  const views = useDocuments(stored.map(({ taken }) => taken))
  const viewOf = new Map(stored.map(({ key }, at) => [key, views[at]]))
  return own
    .map((upload): Entry => ({ upload, view: viewOf.get(upload.key) }))
    .sort((a, b) => stateOrder.indexOf(stateOf(a)) - stateOrder.indexOf(stateOf(b)))
}

const UploadsHeader = ({ collection, entries }: { collection: string; entries: Entry[] }) => {
  const { stop, again, forget } = useUploads()
  const count = (standing: UploadState): number => entries.filter((entry) => stateOf(entry) === standing).length
  const isSending = entries.some(({ upload: { state } }) => state === 'waiting' || state === 'sending')
  const stopped = entries.flatMap(({ upload }) => (upload.state === 'stopped' ? [upload] : []))
  const counts = (['failed', 'stopped'] as const)
    .filter((each) => count(each) > 0)
    .map((each) => `${count(each)} ${each}`)
  return (
    <header>
      <h2 id="uploads-title">Recent uploads</h2>
      <progress
        max={entries.length}
        value={entries.reduce((sum, entry) => sum + doneShare(entry), 0)}
        aria-label="All uploads"
      />
      <span className="soft small" role="status">
        {[`${count('ready')} of ${entries.length} ready`, ...counts].join(', ')}
      </span>
      {isSending && <Button onPress={() => stop(collection)}>Stop uploads</Button>}
      {!isSending && stopped.length > 0 && <Button onPress={() => stopped.forEach(again)}>Resume uploads</Button>}
      {!isSending && (
        <Button quiet onPress={() => forget((upload) => upload.collection === collection)}>
          Clear list
        </Button>
      )}
    </header>
  )
}

export const UploadList = ({ collection }: { collection: string }) => {
  const entries = useEntries(collection)
  if (entries.length === 0) return null
  return (
    <section className="card uploads" aria-labelledby="uploads-title">
      <UploadsHeader collection={collection} entries={entries} />
      <ul>
        {entries.map((entry) => (
          <li key={entry.upload.key}>
            <Item {...entry} />
          </li>
        ))}
      </ul>
    </section>
  )
}
