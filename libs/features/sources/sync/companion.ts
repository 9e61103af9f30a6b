import { openCatalog } from '@plumbline/adapters/redis/documents/catalog'
import type { Companion } from '@plumbline/ingestor/companion'
import type { SourceOptionsOf } from '../connectors/base/options'
import { openSource } from '../connectors/open-source'
import { openSourceRuns } from '../store/source-runs'
import { measureSources } from './run/metrics'
import { startSources } from './source-runner'

export const sourceSync = (optionsOf: SourceOptionsOf): Companion => ({
  name: 'the sync of sources',
  open: ({ redis, files, queue, index, log, registry }) =>
    startSources({
      ...{ runs: openSourceRuns(redis), catalog: openCatalog(redis), files, queue, index, log },
      openSource: (settings, tenant) => openSource(settings, optionsOf(tenant)),
      measure: measureSources(registry),
    }),
})
