import type { Evidence } from '@plumbline/contracts'
import type { FlagRow } from '@plumbline/adapters/redis'
import { questionOf, type Run } from '@plumbline/flow'
import { iso } from '../present/answer'

/** What is needed to see what was wrong, and to ask again once its run is gone. */
export const flagRow = (run: Run, shown: Evidence[], at: number, note: string | undefined): FlagRow => ({
  id: run.id,
  question: questionOf(run),
  policy: run.policy.name,
  collections: [...run.collections].sort(),
  documents: [...new Map(shown.map(({ documentId: id, title }) => [id, { id, title }])).values()],
  ...(note !== undefined && { note }),
  flaggedAt: iso(at),
  status: 'open',
  ...(run.access !== undefined && { access: run.access }),
  ...(run.filters && { filters: run.filters }),
})
