import { useState } from 'react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { CollectionView } from '@plumbline/contracts'
import { Link, useLocation } from 'wouter'
import { mayUse, useSession } from '../session'
import { Button } from '../ui/controls'
import { Problem } from '../ui/problem'
import { CollectionSettingsForm } from './collection-settings'
import { ConfirmButton } from './confirm-button'
import { countText } from './labels'
import { DocumentTable } from './table'
import { UploadControls } from './upload'
import { UploadList } from './upload-list'
import { useTitle } from '../ui/title'

/** Returns the collection, or null if it is new. A collection is created only with its first document. */
const useCollection = (name: string) => {
  const { client } = useSession()
  return useQuery({
    queryKey: ['collections'],
    queryFn: ({ signal }) => client.collections({ signal }),
    select: ({ items }): CollectionView | null => items.find((one) => one.name === name) ?? null,
  })
}

const CollectionActions = ({ view }: { view: CollectionView }) => {
  const { client } = useSession()
  const queries = useQueryClient()
  const [, go] = useLocation()
  const { name, documents } = view
  const remove = async (): Promise<void> => {
    await client.removeCollection(name)
    await Promise.all([['collections'], ['documents']].map((queryKey) => queries.invalidateQueries({ queryKey })))
    go('/')
  }
  const reindex = useMutation({
    mutationFn: () => client.reindex(name),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['documents'] }),
  })
  return (
    <>
      <ConfirmButton action="Re-index all" title={`Re-index ${name}?`} run={() => reindex.mutateAsync()}>
        <p>
          This splits and indexes {countText(documents, 'document')} again, for example after you change the settings.
          Until this is done, answers use the current passages.
        </p>
      </ConfirmButton>
      <ConfirmButton action="Delete collection" title={`Delete the collection ${name}?`} typed={name} run={remove}>
        <p>This deletes {countText(documents, 'document')}, all passages and the settings. It cannot be undone.</p>
      </ConfirmButton>
      {reindex.data && (
        <span className="soft small" role="status">
          Re-indexing {countText(reindex.data.documents, 'document')}
        </span>
      )}
    </>
  )
}

const CollectionDescription = ({
  name,
  view,
  mayWrite,
}: {
  name: string
  view: CollectionView | null
  mayWrite: boolean
}) => {
  const [edits, setEdits] = useState(false)
  return (
    <>
      {view && <p className={view.made ? 'about small soft' : 'about'}>{view.description}</p>}
      {!view && <p className="soft">No documents yet. The first document creates the collection.</p>}
      {view?.made && (
        <p className="faint small">This description was generated from the titles and headings of the documents.</p>
      )}
      {mayWrite && !edits && (
        <Button quiet onPress={() => setEdits(true)}>
          {view && !view.made ? 'Edit description and settings' : 'Add description and settings'}
        </Button>
      )}
      {edits && <CollectionSettingsForm name={name} view={view} close={() => setEdits(false)} />}
    </>
  )
}

export const CollectionPage = ({ name }: { name: string }) => {
  useTitle(name)
  const { me } = useSession()
  const { data: view, error, refetch } = useCollection(name)
  const mayWrite = mayUse(me, 'admin')
  return (
    <main className="page documents">
      <p className="trail small">
        <Link href="/">Documents</Link>
      </p>
      <header className="head">
        <h1>{name}</h1>
        {view && <span className="soft small">{countText(view.documents, 'document')}</span>}
      </header>
      {error && <Problem error={error} retry={() => void refetch()} />}
      {view === null && (
        <p className="soft">There is no collection with this name.{mayWrite && ' Add a document to create it.'}</p>
      )}
      {view !== undefined && (
        <>
          <CollectionDescription name={name} view={view} mayWrite={mayWrite} />
          {mayWrite && <UploadControls collection={name}>{view && <CollectionActions view={view} />}</UploadControls>}
          <UploadList collection={name} />
          <DocumentTable collection={name} mayWrite={mayWrite} />
        </>
      )}
    </main>
  )
}
