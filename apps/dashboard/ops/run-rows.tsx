import { Link } from 'wouter'
import { reasons, type RunSummary } from '@plumbline/contracts'
import { TableHead } from '../ui/table'
import { duration, fromNow } from '../ui/time'
import { type Sort, type SortColumn, tookMs } from './run-sort'

const tones: Partial<Record<RunSummary['status'], string>> = {
  answered: 'good',
  parked: 'warn',
  failed: 'bad',
  expired: 'bad',
}

export const statusLabel = (status: RunSummary['status']): string =>
  status === 'parked' ? 'held' : status === 'needs_input' ? 'needs input' : status

export const RunStatusLabel = ({ status, reason }: Pick<RunSummary, 'status' | 'reason'>) => (
  <span className={tones[status]} title={reason && reasons[reason as keyof typeof reasons]}>
    {statusLabel(status)}
  </span>
)

const columns = [
  ['Question', ''],
  ['Status', 'narrow'],
  ['Policy', 'wide'],
  ['Asked', 'wide'],
  ['Time', 'number narrow'],
] as const
const Head = () => <TableHead columns={columns} />

type SortHeadProps = { sort: Sort; onSort: (column: SortColumn) => void }

const SortHead = ({ sort, onSort }: SortHeadProps) => (
  <thead>
    <tr>
      {columns.map(([name, className]) => {
        const column = name.toLowerCase() as SortColumn
        const order = sort.by === column && (sort.descending ? 'descending' : 'ascending')
        return (
          <th key={name} scope="col" className={className} aria-sort={order || 'none'}>
            <button type="button" onClick={() => onSort(column)}>
              {name}
              <span aria-hidden="true">{order && (sort.descending ? ' ↓' : ' ↑')}</span>
            </button>
          </th>
        )
      })}
    </tr>
  </thead>
)

const durationText = (run: RunSummary): string => {
  const ms = tookMs(run)
  return ms === null ? '–' : duration(ms)
}

const Row = ({ run, index }: { run: RunSummary; index?: number }) => (
  <tr {...(index !== undefined && { 'aria-rowindex': index })}>
    <td className="question">
      <Link href={`/runs/${run.id}`}>{run.question}</Link>
    </td>
    <td>
      <RunStatusLabel {...run} />
    </td>
    <td className="wide">{run.policy}</td>
    <td className="wide soft">{fromNow(run.createdAt)}</td>
    <td className="number">{durationText(run)}</td>
  </tr>
)

export const RunRows = { Head, SortHead, Row }
