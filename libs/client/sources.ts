import type { z } from 'zod'
import { type NewSource, type RunSource, SourceList, SourceView } from '@plumbline/contracts'
import type { Calls, Signalled } from './request'

export const sourcesOf = ({ read, done }: Calls) => ({
  sources: (options?: Signalled) => read(SourceList, ['sources'], options),
  source: (name: string, options?: Signalled) => read(SourceView, ['sources', name], options),
  putSource: (name: string, source: z.input<typeof NewSource>, options?: Signalled) =>
    read(SourceView, ['sources', name], { method: 'PUT', json: source, ...options }),
  /** Starts a sync and returns before it ends. The view of the source shows the progress. */
  runSource: (name: string, run: z.input<typeof RunSource> = {}, options?: Signalled) =>
    read(SourceView, ['sources', name, 'run'], { method: 'POST', json: run, ...options }),
  /** Removes a source. Its documents are removed too (`remove`), or stay in the collection on their own (`keep`). */
  removeSource: (name: string, documents: 'keep' | 'remove', options?: Signalled) =>
    done(['sources', name], { method: 'DELETE', query: { documents }, ...options }),
})
