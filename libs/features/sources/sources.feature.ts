import { type Feature, provide } from '@plumbline/gateway/feature'
import type { SourceOptionsOf } from './connectors/base/options'
import { SourcePorts } from './source-ports'
import { SourcesController } from './sources.controller'
import { Sources } from './sources.service'
import { openSources } from './store/sources'

/** Imports documents from folders, repositories, websites and buckets. The sync runs in the ingestor. */
export const sources = (optionsOf: SourceOptionsOf): Feature => ({
  name: 'sources',
  controllers: [SourcesController],
  services: [Sources],
  open: ({ redis }) => {
    const store = openSources(redis)
    return {
      ports: [provide(SourcePorts, { sources: store, optionsOf })],
      origins: {
        all: store.all,
        ofCollection: store.ofCollection,
        run: async (tenant, name) => (await store.run(tenant, name, false)) === 'noted',
        isRunning: async (tenant, name) => {
          const { status } = (await store.one(tenant, name)) ?? {}
          return status === 'waiting' || status === 'running'
        },
      },
    }
  },
})
