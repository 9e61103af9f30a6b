import type { DocumentView } from '@plumbline/contracts'

export const sizeOf = (bytes: number): string => {
  if (bytes < 1_000) return `${bytes} B`
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

export const countText = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`

const tasks = {
  fetch: 'fetching',
  parse: 'reading',
  chunk: 'splitting into passages',
  embed: 'embedding',
  index: 'indexing',
} as const

export const statusOf = ({ status, task, progress: { pages, ofPages, percent } }: DocumentView): string => {
  switch (status) {
    case 'queued':
      return 'Waiting'
    case 'indexed':
      return 'Ready'
    case 'failed':
      return 'Failed'
    case 'processing': {
      const pagesRead = task === 'parse' && ofPages !== undefined ? `, page ${pages ?? 0} of ${ofPages}` : ''
      return `${task ? tasks[task] : 'working'}${pagesRead}, ${Math.round(percent)} %`.replace(/^./, (first) =>
        first.toUpperCase(),
      )
    }
  }
}

export const isInProgress = ({ status }: DocumentView): boolean => status === 'queued' || status === 'processing'

export const reasonOf = ({ error, problem }: DocumentView): string =>
  `${problem?.page === undefined ? '' : `Page ${problem.page}: `}${error ?? 'No reason was given. Try again.'}`

export const documentPath = (collection: string, id: string, passageId?: string): string =>
  `/${encodeURIComponent(collection)}/${id}${passageId === undefined ? '' : `?passage=${passageId}`}`
export const collectionPath = (collection: string): string => `/${encodeURIComponent(collection)}`
export const searchPath = (collection: string, query: string): string =>
  `${collectionPath(collection)}/search?q=${encodeURIComponent(query)}`
