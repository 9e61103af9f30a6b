import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { CollectionView } from '@plumbline/contracts'
import { mayUse, useSession } from '../session'
import { Button } from '../ui/controls'
import { useCollections } from './ask-box'
import { HeldCard } from './held-card'

export type SampleQuestion = { question: string; collection?: string }
type OnChoose = (sample: SampleQuestion) => void

const sampleCount = 3

const useSampleQuestions = (collections: CollectionView[] | undefined): SampleQuestion[] => {
  const { client } = useSession()
  const written = collections?.flatMap(({ name, questions = [] }) =>
    questions.map((question) => ({ question, collection: name })),
  )
  const { data } = useQuery({
    queryKey: ['documents', 'newest'],
    queryFn: ({ signal }) => client.documents({ limit: sampleCount, status: 'indexed', signal }),
    enabled: written?.length === 0,
  })
  const newest = data?.items.map(({ title, collection }) => ({ question: `What does “${title}” say?`, collection }))
  return (written?.length ? written : (newest ?? [])).slice(0, sampleCount)
}

const CollectionItem = ({ collection: { name, description, documents } }: { collection: CollectionView }) => (
  <li>
    <Link href={`/documents/${encodeURIComponent(name)}`}>{name}</Link>{' '}
    <span className="soft">
      {documents} {documents === 1 ? 'document' : 'documents'}
    </span>
    <p className="small soft description">{description}</p>
  </li>
)

export const Welcome = ({ onChoose }: { onChoose: OnChoose }) => {
  const { me } = useSession()
  const collections = useCollections().data?.items
  const samples = useSampleQuestions(collections)
  if (!collections) return null
  const filled = collections.filter(({ documents }) => documents > 0)
  if (filled.length === 0)
    return (
      <p>
        No documents yet. <Link href="/documents">Add documents</Link>, then ask about them. Every answer shows its
        sources.
      </p>
    )
  return (
    <>
      <p className="soft">
        Each answer is checked against your documents before you see it. An answer that fails the check is held until a
        person reviews it.
      </p>
      <HeldCard />
      {mayUse(me, 'asker') && samples.length > 0 && (
        <section aria-label="Questions to try">
          <h2>Questions to try</h2>
          <ul className="tries">
            {samples.map((sample) => (
              <li key={sample.question}>
                <Button onPress={() => onChoose(sample)}>{sample.question}</Button>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section aria-label="Your documents">
        <h2>Your documents</h2>
        <ul className="collections">
          {filled.map((collection) => (
            <CollectionItem key={collection.name} collection={collection} />
          ))}
        </ul>
      </section>
    </>
  )
}
