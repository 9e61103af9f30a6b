import { type FormEvent, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { SearchResults } from '@plumbline/contracts'
import { Link, useLocation, useSearchParams } from 'wouter'
import { useSession } from '../session'
import { Button, Field } from '../ui/controls'
import { Problem } from '../ui/problem'
import { collectionPath, countText, documentPath, searchPath } from './labels'
import { MarkedText } from './marked-text'
import { useTitle } from '../ui/title'

type Item = SearchResults['items'][number]

/** Shows the score of each search method. Scores of different methods cannot be compared, so they are not added up. */
const methodsText = ({ scores: { bm25, similarity, mmr, rerank } }: Item): string => {
  const ways = [
    ...(bm25 === undefined ? [] : [`matching words (${bm25.toFixed(1)})`]),
    ...(similarity === undefined ? [] : [`similar meaning (${similarity.toFixed(2)})`]),
    ...(mmr === undefined || similarity !== undefined ? [] : ['similar meaning, added for variety']),
    ...(rerank === undefined ? [] : [`reranker (${rerank.toFixed(2)})`]),
  ]
  return ways.length > 0 ? `found by ${ways.join(' and ')}` : ''
}

const degradedText = (what: string): string => {
  if (what === 'embedder') return 'The embedding model did not answer, so the search compared only words.'
  if (what.startsWith('vectors:'))
    return `${what.slice(8)} was embedded by another model, so the search compared only its words. Re-index it.`
  return 'The reranker did not answer, so the passages keep the order of the first search.'
}

const Result = ({ item, nth }: { item: Item; nth: number }) => {
  const { id, documentId, collection, title, headingPath, page } = item
  const where = [...(page === undefined ? [] : [`page ${page}`]), ...headingPath.filter((each) => each !== title)]
  return (
    <li className="card result">
      <header>
        <span className="cite">{nth}</span>
        <Link href={documentPath(collection, documentId, id)}>{title}</Link>
        <span className="soft small">{where.join(' › ')}</span>
      </header>
      <MarkedText text={item.text} marks={item.marks} />
      <p className="faint small">{methodsText(item)}</p>
    </li>
  )
}

const Results = ({ collection, query }: { collection: string; query: string }) => {
  const { client } = useSession()
  const { data, error, refetch } = useQuery({
    queryKey: ['search', collection, query],
    queryFn: ({ signal }) => client.search({ query, collection, limit: 20 }, { signal }),
  })
  if (error) return <Problem error={error} retry={() => void refetch()} />
  if (!data) return <p role="status">Searching …</p>
  return (
    <>
      <p className="soft small" role="status">
        {data.items.length === 0
          ? `Nothing found in ${collection}. Try other words.`
          : `${countText(data.items.length, 'passage')}, closest first`}
      </p>
      {data.elsewhere !== undefined && (
        <p className="small">
          The collection <Link href={searchPath(data.elsewhere, query)}>{data.elsewhere}</Link> contains some of these
          words.
        </p>
      )}
      {data.degraded?.map((what) => (
        <p className="warn small" key={what}>
          {degradedText(what)}
        </p>
      ))}
      <ol className="results">
        {data.items.map((item, at) => (
          <Result key={item.id} item={item} nth={at + 1} />
        ))}
      </ol>
    </>
  )
}

const SearchForm = ({ collection, words }: { collection: string; words: string }) => {
  const [, go] = useLocation()
  const [query, setQuery] = useState(words)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    go(searchPath(collection, query.trim()))
  }
  return (
    <form role="search" className="search-form" onSubmit={submit}>
      <Field label="Words or a question" type="search" value={query} onChange={setQuery} />
      <Button type="submit" isDisabled={query.trim() === ''}>
        Search text
      </Button>
    </form>
  )
}

export const SearchPage = ({ collection }: { collection: string }) => {
  useTitle(`Search in ${collection}`)
  const [params] = useSearchParams()
  const query = params.get('q')?.trim() ?? ''
  return (
    <main className="page documents">
      <p className="trail small">
        <Link href="/">Documents</Link> › <Link href={collectionPath(collection)}>{collection}</Link>
      </p>
      <h1>Search in {collection}</h1>
      <SearchForm key={query} collection={collection} words={query} />
      {query === '' ? (
        <p className="soft">
          Type words or a question. You see the passages that an answer would be based on, but no answer.
        </p>
      ) : (
        <Results collection={collection} query={query} />
      )}
    </main>
  )
}
