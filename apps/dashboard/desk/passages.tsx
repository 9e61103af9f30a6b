import { useState } from 'react'
import { Link } from 'wouter'
import { type CitedPassage, clean, cleanName, type Claim, type Evidence, ownTitle } from '@plumbline/contracts'
import { MarkedProse } from '../ui/marked-prose'
import { countShared, sharedMarks } from '../ui/shared-words'
import { Warnings } from '../ui/warnings'

type PassagesProps = { evidence: Evidence[]; claim: Claim | undefined; citations: readonly CitedPassage[] }

const rankedPassages = ({ evidence, claim }: Omit<PassagesProps, 'citations'>): Evidence[] => {
  const named = [claim?.passageId, claim?.conflictsWith]
  const rank = ({ id, text }: Evidence): number => {
    const at = named.indexOf(id)
    return at >= 0 ? 10_000 - at : countShared(claim?.text ?? '', text)
  }
  return evidence
    .map((passage) => ({ passage, rank: rank(passage) }))
    .sort((a, b) => b.rank - a.rank)
    .map(({ passage }) => passage)
}

const numberOf = ({ citations }: PassagesProps, { id }: Evidence): string => {
  const cited = citations.find(({ passageId }) => passageId === id)
  return cited ? ` [${cited.n}]` : ''
}

const titleOf = (index: number, { claim, evidence }: PassagesProps, { id }: Evidence): string => {
  if (claim?.conflictsWith === id) return 'This passage gives a different value'
  if (claim?.passageId === id) return 'Passage for this claim'
  return index === 0 && claim
    ? 'No passage supports this claim; this one is closest'
    : `Passage ${index + 1} of ${evidence.length}`
}

const passageLink = ({ documentId, collection, id }: Evidence): string =>
  `~/documents/${encodeURIComponent(collection)}/${encodeURIComponent(documentId)}?passage=${encodeURIComponent(id)}`

const PassageLocation = ({ passage }: { passage: Evidence }) => {
  const { file, url, page, headingPath, date } = passage
  const parts = [file ?? url, headingPath.join(' › '), page && `page ${page}`, date && `dated ${date}`]
  return (
    <p className="where">
      <b>{cleanName(ownTitle(passage))}</b>
      <span className="small soft">{parts.filter(Boolean).map(String).map(cleanName).join(' · ')}</span>
    </p>
  )
}

const Grade = ({ grade }: { grade: Evidence['grade'] }) =>
  grade ? (
    <p className="small soft">
      graded {grade.relevant ? 'relevant' : 'not relevant'}, {grade.level}
      {grade.outdated && ', outdated'}
      {grade.sensitive && ', sensitive'}
      {grade.reason !== '' && `: ${clean(grade.reason)}`}
    </p>
  ) : null

const noPassages = 'No passage was read for this draft.'

export const Passages = (props: PassagesProps) => {
  const { claim } = props
  const all = rankedPassages(props)
  const [chosenId, setChosenId] = useState<string | null>(null)
  const index = Math.max(
    0,
    all.findIndex(({ id }) => id === chosenId),
  )
  const passage = all[index]
  if (!passage) return <p className="soft">{noPassages}</p>
  const text = clean(passage.text)
  return (
    <>
      <h2>
        {titleOf(index, props, passage)}
        {numberOf(props, passage)}
      </h2>
      <PassageLocation passage={passage} />
      <Warnings warnings={passage.warnings} />
      <div className="passage">
        <MarkedProse text={text} marks={claim ? sharedMarks(claim.text, text) : []} claim={claim?.text ?? ''} />
      </div>
      <Grade grade={passage.grade} />
      <p className="small">
        <Link href={passageLink(passage)}>Open in the document</Link>
        {passage.page !== undefined && (
          <>
            {' · '}
            <Link href={`${passageLink(passage)}&view=page`}>View page image</Link>
          </>
        )}
      </p>
      {all.length > 1 && (
        <div className="others" role="group" aria-label="Other passages">
          <h2>Other passages</h2>
          {all.map((other) => (
            <button
              key={other.id}
              type="button"
              className="other"
              aria-pressed={other.id === passage.id}
              onClick={() => setChosenId(other.id)}
            >
              <span>
                {cleanName(other.title)}
                {numberOf(props, other)}
              </span>
              <span className="soft one-line">
                {[...other.headingPath, other.text.slice(0, 120)].map(cleanName).join(' › ')}
              </span>
            </button>
          ))}
        </div>
      )}
    </>
  )
}
