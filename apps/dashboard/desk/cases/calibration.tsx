import { useQuery } from '@tanstack/react-query'
import type { Calibration as Counted, PolicyCalibration, ScoreBucket } from '@plumbline/contracts'
import { Link } from 'wouter'
import { useLive } from '../../live'
import { useSession } from '../../session'
import { Problem } from '../../ui/problem'
import { percent } from './labels'
import { DeskLinks } from './links'
import { ScoreChart } from './score-chart'
import { useTitle } from '../../ui/title'

const rangeOf = ({ from, to }: ScoreBucket): string => (from === to ? '1.00' : `${from.toFixed(2)} – ${to.toFixed(2)}`)

type Counts = Pick<ScoreBucket, 'approved' | 'cases' | 'interval'>

/** Formats the 95 % confidence interval of a share. */
const intervalText = ({ interval }: Pick<Counts, 'interval'>): string =>
  interval === undefined ? '–' : `${percent(interval.low)} – ${percent(interval.high)}`

const countsText = ({ approved, cases, interval }: Counts): string =>
  `${approved} of ${cases} drafts were approved unchanged${interval ? ` (95\u00a0% interval: ${intervalText({ interval })})` : ''}`

const Buckets = ({ buckets }: { buckets: ScoreBucket[] }) => (
  <table>
    <thead>
      <tr>
        <th>Draft score</th>
        <th className="number">Decided</th>
        <th className="number">Approved unchanged</th>
        <th className="number">Share approved</th>
        <th className="number">95&nbsp;% confidence interval</th>
      </tr>
    </thead>
    <tbody>
      {buckets.map((bucket) => (
        <tr key={bucket.from}>
          <td>{rangeOf(bucket)}</td>
          <td className="number">{bucket.cases}</td>
          <td className="number">{bucket.approved}</td>
          <td className="number">{bucket.cases === 0 ? '–' : percent(bucket.approved / bucket.cases)}</td>
          <td className="number">{intervalText(bucket)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

type Preliminary = Extract<PolicyCalibration['proposal'], { kind: 'too-few' }>['preliminary']
const preliminaryText = (found: Preliminary): string => {
  if (!found) return ''
  const where =
    found.parkBelow === undefined
      ? 'So far, there is no threshold above which reviewers approved 95\u00a0% of the drafts. In total'
      : `So far, with a score of at least ${found.parkBelow.toFixed(2)}`
  return ` ${where}: ${countsText(found)}.`
}

const proposalText = ({ proposal, threshold }: PolicyCalibration): string => {
  const now = threshold === undefined ? '' : ` The current threshold is ${threshold.toFixed(2)}.`
  switch (proposal.kind) {
    case 'threshold':
      return `Proposed threshold (parkBelow): ${proposal.parkBelow.toFixed(2)}. With this score or a higher one, ${countsText(proposal)}. Drafts that were held for another reason are not counted.${now}`
    case 'none':
      return `No threshold is proposed, because there is none above which reviewers approved 95\u00a0% of the drafts. In total, ${countsText(proposal)}. Drafts that were held for another reason are not counted.${now}`
    case 'too-few':
      return `Too few drafts to propose a threshold: ${proposal.cases} were held only because of their score, ${proposal.needed} are needed.${preliminaryText(proposal.preliminary)}${now}`
  }
}

const PolicyCard = ({ one }: { one: PolicyCalibration }) => (
  <section className="card calibration" aria-label={`Policy ${one.policy}`}>
    <h2>
      <Link href={`~/desk/cases?policy=${encodeURIComponent(one.policy)}`}>{one.policy}</Link>
    </h2>
    <p>
      {one.falseHolds} of {one.cases} holds {one.falseHolds === 1 ? 'was' : 'were'} unnecessary, because reviewers
      approved the draft unchanged{one.interval && ` (95\u00a0% interval: ${intervalText(one)})`}.{' '}
      {one.precision === null ? '–' : percent(one.precision)} of the holds were necessary.
    </p>
    <div className="beside">
      <ScoreChart buckets={one.buckets} />
      <div className="table">
        <Buckets buckets={one.buckets} />
      </div>
    </div>
    <p>
      <b>{proposalText(one)}</b>
    </p>
  </section>
)

const Strategies = ({ strategies }: Pick<Counted, 'strategies'>) =>
  strategies.length > 0 && (
    <section aria-label="Query rewriting strategies">
      <h2>Query rewriting strategies</h2>
      <p className="small soft">
        Counts only runs that were held and then decided. A try is one search with a rewritten query. It succeeded if it
        found at least one passage that was graded relevant.
      </p>
      {strategies.map(({ collection, counts, advice }) => (
        <div className="card calibration" key={collection}>
          <h3>{collection}</h3>
          <p>{advice}</p>
          <div className="table">
            <table>
              <thead>
                <tr>
                  <th>Strategy</th>
                  <th className="number">Tries</th>
                  <th className="number">Succeeded</th>
                </tr>
              </thead>
              <tbody>
                {counts.map(({ strategy, tries, succeeded }) => (
                  <tr key={strategy}>
                    <td>{strategy}</td>
                    <td className="number">{tries}</td>
                    <td className="number">
                      {succeeded} ({percent(succeeded / tries)})
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </div>
      ))}
    </section>
  )

export const CalibrationPage = () => {
  useTitle('Calibration')
  const { client } = useSession()
  useLive({ desk: true })
  const { data, error } = useQuery({
    queryKey: ['desk', 'calibration'],
    queryFn: ({ signal }) => client.calibration({ signal }),
  })
  return (
    <main className="page cases">
      <DeskLinks here="~/desk/cases/calibration" />
      <h1>Scores and decisions</h1>
      {error && <Problem error={error} />}
      {data?.policies.length === 0 && (
        <p className="nothing">
          {data.keptDays === 0
            ? 'No cases are stored. Start the gateway with CASES_DAYS=30 to keep each decision for 30 days.'
            : 'No figures yet. They appear when a reviewer has decided on a checked draft.'}
        </p>
      )}
      {data?.policies.map((one) => (
        <PolicyCard key={one.policy} one={one} />
      ))}
      {data && <Strategies strategies={data.strategies} />}
    </main>
  )
}
