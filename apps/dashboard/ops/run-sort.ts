import type { RunSummary } from '@plumbline/contracts'

const sortColumns = ['question', 'status', 'policy', 'asked', 'time'] as const
export type SortColumn = (typeof sortColumns)[number]
export type Sort = { by: SortColumn; descending: boolean }

/** The gateway returns runs in this order. If the user chooses another order, the browser sorts the runs. */
const newestFirst: Sort = { by: 'asked', descending: true }
export const isNewestFirst = ({ by, descending }: Sort): boolean => by === 'asked' && descending

/** Reads the order from the URL. It is the name of a column, with a minus before it if the order is descending. */
export const sortFrom = (text: string | null): Sort => {
  const by = sortColumns.find((column) => column === text?.replace('-', ''))
  return by === undefined ? newestFirst : { by, descending: text?.startsWith('-') ?? false }
}

export const sortAfter = (sort: Sort, column: SortColumn): string => {
  const isText = column !== 'asked' && column !== 'time'
  const descending = sort.by === column ? !sort.descending : !isText
  return isNewestFirst({ by: column, descending }) ? '' : `${descending ? '-' : ''}${column}`
}

export const tookMs = ({ createdAt, endedAt }: RunSummary): number | null =>
  endedAt === undefined ? null : new Date(endedAt).getTime() - new Date(createdAt).getTime()

const compare: Record<SortColumn, (a: RunSummary, b: RunSummary) => number> = {
  question: (a, b) => a.question.localeCompare(b.question),
  status: (a, b) => a.status.localeCompare(b.status),
  policy: (a, b) => a.policy.localeCompare(b.policy),
  asked: (a, b) => a.createdAt.localeCompare(b.createdAt),
  time: (a, b) => (tookMs(a) ?? 0) - (tookMs(b) ?? 0),
}

export const sortRuns = (runs: RunSummary[], sort: Sort): RunSummary[] => {
  if (isNewestFirst(sort)) return runs
  const inOrder = [...runs].sort((a, b) => (sort.descending ? -1 : 1) * compare[sort.by](a, b))
  if (sort.by !== 'time') return inOrder
  return [...inOrder.filter((run) => tookMs(run) !== null), ...inOrder.filter((run) => tookMs(run) === null)]
}
