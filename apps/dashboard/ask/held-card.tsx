import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { clean, type Claim } from '@plumbline/contracts'
import { withoutNumbers } from '../desk/citations'
import { mayUse, useSession } from '../session'

const failedClaim = (claims: Claim[]): Claim | undefined =>
  claims.find(({ verdict }) => verdict === 'contradicted') ?? claims.find(({ verdict }) => verdict === 'unsupported')

/** Returns the held answer with the highest risk and its first failed claim, as an example of why answers are held. */
const useFirstHeld = () => {
  const { client, me } = useSession()
  const { data: list } = useQuery({
    queryKey: ['desk', 'first'],
    queryFn: ({ signal }) => client.reviews({ order: 'risk', limit: 1, signal }),
    enabled: mayUse(me, 'reviewer'),
  })
  const runId = list?.items[0]?.runId ?? ''
  const { data: item } = useQuery({
    queryKey: ['desk', 'first', runId],
    queryFn: ({ signal }) => client.review(runId, { signal }),
    enabled: runId !== '',
  })
  return { count: list?.counts.total ?? 0, runId, claim: item && failedClaim(item.claims) }
}

export const HeldCard = () => {
  const { count, runId, claim } = useFirstHeld()
  if (!claim) return null
  return (
    <section className="card held-card" aria-label="Held answers">
      <p>
        <b>{count === 1 ? '1 answer is held for review.' : `${count} answers are held for review.`}</b>{' '}
        {count === 1 ? 'It says' : 'One of them says'} “{clean(withoutNumbers(claim.text)).replace(/\.$/, '')}”.{' '}
        {claim.verdict === 'contradicted' ? 'The source contradicts this claim' : 'No source supports this claim'}
        {claim.reason !== '' && `: ${clean(claim.reason)}`}
      </p>
      <Link href={`/desk/${runId}`} className="button">
        Review this answer
      </Link>
    </section>
  )
}
