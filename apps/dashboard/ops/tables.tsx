import { Link } from 'wouter'
import { type OpsHistory, reasons, type RunCounts } from '@plumbline/contracts'
import { TableHead } from '../ui/table'
import { ContentLink } from './content-link'
import { address, cents, count, share, sum, time } from './figures'

type NamedCounts = OpsHistory['tenants'][number]

const columns: [string, (counts: RunCounts) => string][] = [
  ['questions asked', ({ asked }) => count(asked)],
  ['p50', ({ p50Ms }) => time(p50Ms)],
  ['p95', ({ p95Ms }) => time(p95Ms)],
  ['held for review', ({ heldFirst = 0, ended }) => share(heldFirst, sum(ended))],
  ['with a rewritten query', ({ withRewrite, ended }) => share(withRewrite, sum(ended))],
  ['failed', ({ ended }) => count(ended['failed'] ?? 0)],
  ['model calls', ({ calls }) => count(calls)],
  ['model cost in cents', (counts) => cents(counts.cents)],
]

export const ComparisonTable = ({
  what,
  rows,
  to,
}: {
  what: string
  rows: NamedCounts[]
  to: (name: string) => string
}) => (
  <section className="card" aria-label={what}>
    <div className="table" tabIndex={0} role="region" aria-label={`Comparison by ${what}`}>
      <table>
        <TableHead columns={[[what], ...columns.map(([name]) => [name, 'number'] as const)]} />
        <tbody>
          {rows.map((row) => (
            <tr key={row.name}>
              <th scope="row">{row.name === '*' ? 'all others' : <Link href={to(row.name)}>{row.name}</Link>}</th>
              {columns.map(([name, of]) => (
                <td key={name} className="number">
                  {of(row)}
                </td>
              ))}
            </tr>
          ))}
          {rows.length === 0 && (
            <tr>
              <td colSpan={columns.length + 1} className="soft">
                No questions in this period.
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  </section>
)

const reasonSentence = (reason: string): string | undefined => reasons[reason as keyof typeof reasons]

export const Reasons = ({ total, from, to }: { total: RunCounts; from: string; to: string }) => {
  const most = [...Object.entries(total.reasons), ...Object.entries(total.parked)].sort(([, a], [, b]) => b - a)
  if (most.length === 0) return null
  return (
    <section className="card" aria-label="Reasons of runs">
      <div className="table">
        <table>
          <TableHead columns={[['Reason'], ['Runs', 'number']]} />
          <tbody>
            {most.map(([reason, times]) => (
              <tr key={reason}>
                <th scope="row">
                  <ContentLink href={address('/runs', { reason, from, to })}>
                    {reasonSentence(reason) ?? reason}
                  </ContentLink>
                  <div className="mono soft">{reason}</div>
                </th>
                <td className="number">{count(times)}</td>
              </tr>
            ))}
            {Object.entries(total.decided).map(([action, times]) => (
              <tr key={action}>
                <th scope="row">reviewer decision: {action}</th>
                <td className="number">{count(times)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
