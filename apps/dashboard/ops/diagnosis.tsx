import { useQuery } from '@tanstack/react-query'
import type { Diagnosis as Diagnosed, Finding, FindingEvidence } from '@plumbline/contracts'
import { mayUse, useSession } from '../session'
import { Problem } from '../ui/problem'
import { TableHead } from '../ui/table'
import { ContentLink } from './content-link'
import { address, count } from './figures'

const evidenceNames: Record<FindingEvidence['what'], string> = {
  'helpful-rewrites': 'query rewrites helped',
  'empty-searches': 'searches found nothing',
  'rejected-grades': 'passages were graded irrelevant',
  'runs-without-documents': 'runs had no document with the answer',
}

const evidenceText = ({ what, strategy, count: part, of }: FindingEvidence): string =>
  `${count(part)} of ${count(of)} ${strategy ? `${strategy} ` : ''}${evidenceNames[what]}`

type Row = Pick<Diagnosed['collections'][number], 'tenant' | 'collection'> & { finding: Finding; isFirst: boolean }

const FindingRow = ({ row, from, to, shared }: { row: Row; from: string; to: string; shared: boolean }) => {
  const { me } = useSession()
  const { tenant, collection, finding, isFirst } = row
  const runs = address('/runs', {
    collection,
    from,
    to,
    status: finding.kind === 'missing-documents' ? 'unanswered' : undefined,
  })
  return (
    <tr>
      {shared && <td>{isFirst && tenant}</td>}
      <th scope="row">{isFirst && collection}</th>
      <td>
        {finding.words}
        <div className="small soft">{finding.evidence.map(evidenceText).join(' · ')}</div>
      </td>
      <td>{tenant === me.tenant && <ContentLink href={runs}>Show runs</ContentLink>}</td>
    </tr>
  )
}

export const Diagnosis = () => {
  const { client, me } = useSession()
  const shared = mayUse(me, 'operator')
  const { data, error } = useQuery({
    queryKey: ['ops', 'diagnosis'],
    queryFn: ({ signal }) => client.diagnosis({ signal }),
    refetchInterval: 60_000,
  })
  if (error) return <Problem error={error} />
  const rows = data?.collections.flatMap(({ findings, ...of }) =>
    findings.map((finding, at): Row => ({ ...of, finding, isFirst: at === 0 })),
  )
  if (!data || !rows || rows.length === 0) return null
  return (
    <section className="card" aria-label="Causes of failed searches">
      <div className="table" tabIndex={0} role="region" aria-label="Causes of failed searches in the last 7 days">
        <table>
          <TableHead
            columns={[...(shared ? [['Tenant'] as const] : []), ['Collection'], ['Cause (last 7 days)'], ['']]}
          />
          <tbody>
            {rows.map((row) => (
              <FindingRow
                key={`${row.tenant} ${row.collection} ${row.finding.kind}`}
                row={row}
                from={data.from}
                to={data.to}
                shared={shared}
              />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
