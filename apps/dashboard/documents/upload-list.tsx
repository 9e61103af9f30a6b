import { readFormats, type TakenDocument } from '@plumbline/contracts'
import { ProblemError } from '@plumbline/client'
import { Link } from 'wouter'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useSession } from '../session'
import { Button } from '../ui/controls'
import { type Upload, useUploads } from './uploads'
import { useDocument } from './use-document'
import { isUnderWay, placeOf, reasonOf, sizeOf, statusOf } from './words'

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

/** Retries a failed document from the step that failed. */
export const useRetry = (id: string) => {
  const { client } = useSession()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => client.retryDocument(id),
    // Update only this document, so that it stays in a filtered list.
    onSuccess: (view) => queries.setQueryData(['document', id], view),
  })
}

const Taken = ({ known }: { known: TakenDocument }) => {
  const view = useDocument(known)
  const retry = useRetry(view.id)
  const said = known.taken === 'unchanged' && !isUnderWay(view) ? 'Ready, unchanged' : statusOf(view)
  return (
    <>
      <Link href={placeOf(view.collection, view.id)}>{known.name ?? view.title}</Link>
      <progress max={100} value={view.status === 'indexed' ? 100 : view.progress.percent} aria-label={view.title} />
      <span className={view.status === 'failed' ? 'bad' : 'soft'}>{said}</span>
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

const Refused = ({ upload }: { upload: Upload }) => {
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

const sendingOf = ({ state, bytes, sent = 0 }: Upload): string => {
  if (bytes === undefined) return state === 'sending' ? 'Sending' : 'Waiting'
  if (state === 'waiting') return `Waiting, ${sizeOf(bytes)}`
  return sent < bytes ? `Sending, ${sizeOf(sent)} of ${sizeOf(bytes)}` : `Sent ${sizeOf(bytes)}, storing`
}

const Coming = ({ upload }: { upload: Upload }) => {
  const { name, bytes, state, sent = 0 } = upload
  // A paste is sent without a size, so its progress is unknown.
  const isKnown = state === 'waiting' || bytes !== undefined
  return (
    <>
      <span>{name}</span>
      <progress aria-label={name} {...(isKnown && { max: bytes ?? 1, value: sent })} />
      <span className="soft">{sendingOf(upload)}</span>
    </>
  )
}

const Item = ({ upload }: { upload: Upload }) => {
  if (upload.taken) return <Taken known={upload.taken} />
  return upload.state === 'refused' ? <Refused upload={upload} /> : <Coming upload={upload} />
}

/** Lists the uploads to a collection since the page was opened, with their progress. */
export const UploadList = ({ collection }: { collection: string }) => {
  const { uploads, forget } = useUploads()
  const own = uploads.filter((upload) => upload.collection === collection)
  if (own.length === 0) return null
  const arrived = own.filter(({ state }) => state === 'taken' || state === 'refused').length
  return (
    <section className="card uploads" aria-labelledby="uploads-title">
      <header>
        <h2 id="uploads-title">Recent uploads</h2>
        <span className="soft small" role="status">
          {arrived} of {own.length} sent
        </span>
        {arrived === own.length && (
          <Button quiet onPress={() => forget((upload) => upload.collection === collection)}>
            Clear list
          </Button>
        )}
      </header>
      <ul>
        {own.map((upload) => (
          <li key={upload.key}>
            <Item upload={upload} />
          </li>
        ))}
      </ul>
    </section>
  )
}
