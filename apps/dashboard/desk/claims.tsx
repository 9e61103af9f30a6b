import { useEffect, useRef } from 'react'
import { clean, type Claim } from '@plumbline/contracts'
import { verdictWords } from './words'

/** The claim a reviewer looks at first: one that is contradicted, else one without evidence, else one that hides a conflict. */
export const firstToLookAt = (claims: Claim[]): number => {
  const wanted = [
    claims.findIndex(({ verdict }) => verdict === 'contradicted'),
    claims.findIndex(({ verdict }) => verdict === 'unsupported'),
    claims.findIndex(({ conflictsWith }) => conflictsWith !== undefined),
  ]
  return wanted.find((index) => index >= 0) ?? 0
}

const tones: Record<Claim['verdict'], string> = { supported: '', unsupported: 'warn', contradicted: 'bad' }

const Why = ({ claim: { verdict, reason, conflictsWith } }: { claim: Claim }) => (
  <span className="why">
    <span className={tones[verdict]}>{verdictWords[verdict]}</span>
    {conflictsWith !== undefined && <span className="bad"> · another passage gives another value</span>}
    {reason !== '' && `: ${clean(reason)}`}
  </span>
)

type ClaimsProps = { claims: Claim[]; chosen: number; choose: (index: number) => void }

/** The draft, claim by claim. The chosen one comes into sight, and into focus where a key chose it. */
export const Claims = ({ claims, chosen, choose }: ClaimsProps) => {
  const list = useRef<HTMLOListElement>(null)
  const before = useRef(chosen)
  useEffect(() => {
    if (before.current === chosen) return
    before.current = chosen
    list.current?.querySelectorAll('button')[chosen]?.focus()
  }, [chosen])
  return (
    <ol className="claims" ref={list} aria-label="Claims of the draft">
      {claims.map((claim, index) => (
        <li key={`${index} ${claim.text}`}>
          <button
            type="button"
            className={`claim ${claim.verdict}`}
            aria-current={index === chosen ? 'true' : undefined}
            onClick={() => choose(index)}
          >
            <span className="dot" aria-hidden="true" />
            <span>
              <span className="claim-text">{clean(claim.text)}</span>
              <Why claim={claim} />
            </span>
          </button>
        </li>
      ))}
    </ol>
  )
}
