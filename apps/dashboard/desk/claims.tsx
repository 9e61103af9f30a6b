import { type ReactNode, useEffect, useRef } from 'react'
import { clean, type Claim } from '@plumbline/contracts'
import { type CitedDraft, citedBy, withoutNumbers } from './citations'
import { verdictLabels } from './labels'
import { readLabel } from './shown-part'

export const firstClaimToReview = (claims: Claim[]): number => {
  const wanted = [
    claims.findIndex(({ verdict }) => verdict === 'contradicted'),
    claims.findIndex(({ verdict }) => verdict === 'unsupported'),
    claims.findIndex(({ conflictsWith }) => conflictsWith !== undefined),
  ]
  return wanted.find((index) => index >= 0) ?? 0
}

const tones: Record<Claim['verdict'], string> = { supported: '', unsupported: 'warn', contradicted: 'bad' }

const ClaimReason = ({ claim: { verdict, reason, conflictsWith } }: { claim: Claim }) => (
  <span className="why">
    <span className={tones[verdict]}>{verdictLabels[verdict]}</span>
    {conflictsWith !== undefined && <span className="bad"> · another passage gives a different value</span>}
    {reason !== '' && `: ${clean(reason)}`}
  </span>
)

const CitedNumbers = ({ numbers }: { numbers: number[] }) =>
  numbers.map((n) => (
    <span key={n}>
      {' '}
      <span className="cite">
        <span className="unseen">source </span>
        {n}
      </span>
    </span>
  ))

type ClaimsProps = {
  claims: Claim[]
  draft: CitedDraft
  chosen: number
  choose: (index: number) => void
  /** The number of claims that the asker has already read. They are the first ones in the draft. */
  read: number
  evidence: ReactNode
}

export const Claims = ({ claims, draft, chosen, choose, read, evidence }: ClaimsProps) => {
  const list = useRef<HTMLOListElement>(null)
  const before = useRef(chosen)
  useEffect(() => {
    if (before.current === chosen) return
    before.current = chosen
    list.current?.querySelectorAll<HTMLElement>('button.claim')[chosen]?.focus()
  }, [chosen])
  return (
    <ol className="claims" ref={list} aria-label="Claims of the draft">
      {claims.map((claim, index) => (
        <li key={`${index} ${claim.text}`} className={index < read ? 'read' : undefined}>
          {read > 0 && index === 0 && <p className="read-mark">{readLabel}</p>}
          {read > 0 && index === read && <p className="read-mark">The asker has not read this part of the answer</p>}
          <button
            type="button"
            className={`claim ${claim.verdict}`}
            aria-current={index === chosen ? 'true' : undefined}
            onClick={() => choose(index)}
          >
            <span className="dot" aria-hidden="true" />
            <span>
              <span className="claim-text">
                {clean(withoutNumbers(claim.text))}
                <CitedNumbers numbers={citedBy(claim, draft)} />
              </span>
              <ClaimReason claim={claim} />
            </span>
          </button>
          {index === chosen && evidence}
        </li>
      ))}
    </ol>
  )
}
