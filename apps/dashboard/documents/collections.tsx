import { type FormEvent, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { type CollectionView, name as collectionName } from '@plumbline/contracts'
import { Link, useLocation } from 'wouter'
import { mayUse, offers, useSession } from '../session'
import { Button, Field, FormEnd } from '../ui/controls'
import { Problem } from '../ui/problem'
import { collectionPath, countText } from './labels'
import { Sources } from './sources'
import { useTitle } from '../ui/title'

const suggestedName = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '') || 'my-papers'

/** Opens the page of a new collection. The collection itself is created with its first document. */
const NewCollectionForm = ({ close }: { close: () => void }) => {
  const [, go] = useLocation()
  const [name, setName] = useState('')
  const isValid = collectionName.safeParse(name).success
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    go(collectionPath(name))
  }
  return (
    <form className="card paste" onSubmit={submit}>
      <Field label="Name" value={name} onChange={setName} autoFocus maxLength={63} />
      <p className={isValid || name === '' ? 'small soft' : 'small bad'} role="status">
        Use lower-case letters, digits and dashes
        {isValid || name === '' ? '.' : `, for example ${suggestedName(name)}.`}
      </p>
      <FormEnd isReady={isValid} onCancel={close}>
        Continue
      </FormEnd>
    </form>
  )
}

const CollectionRow = ({ name, description, documents, made, policy }: CollectionView) => (
  <li>
    <Link href={collectionPath(name)} className="card collection">
      <span className="name">{name}</span>
      <span className="soft small number">{countText(documents, 'document')}</span>
      <span className={made ? 'about small soft' : 'about'}>{description}</span>
      <span className="faint small">
        {[made && 'generated description', policy !== undefined && `policy ${policy}`].filter(Boolean).join(' · ')}
      </span>
    </Link>
  </li>
)

export const CollectionsPage = () => {
  useTitle('Documents')
  const { client, me } = useSession()
  const [creates, setCreates] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: ['collections'],
    queryFn: ({ signal }) => client.collections({ signal }),
  })
  return (
    <main className="page documents">
      <header className="head">
        <h1>Documents</h1>
        {mayUse(me, 'admin') && (
          <Button onPress={() => setCreates(!creates)} aria-expanded={creates}>
            New collection
          </Button>
        )}
      </header>
      <p className="soft">Answers are based on these documents. Each collection has its own search settings.</p>
      {creates && <NewCollectionForm close={() => setCreates(false)} />}
      {error && <Problem error={error} retry={() => void refetch()} />}
      {data?.items.length === 0 && (
        <p className="card empty">
          No documents yet.{' '}
          {mayUse(me, 'admin')
            ? 'Create a collection and drop files on its page: PDF, Word, PowerPoint, Excel, CSV, HTML, Markdown, source code or images.'
            : 'A person with the role admin can add documents.'}
        </p>
      )}
      <ul className="collections">
        {data?.items.map((collection) => (
          <CollectionRow key={collection.name} {...collection} />
        ))}
      </ul>
      {mayUse(me, 'admin') && offers(me, 'sources') && <Sources />}
    </main>
  )
}
