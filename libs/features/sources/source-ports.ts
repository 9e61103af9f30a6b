import type { SourceOptionsOf } from './connectors/base/options'
import type { SourceStore } from './store/sources'

export abstract class SourcePorts {
  abstract readonly sources: SourceStore
  abstract readonly optionsOf: SourceOptionsOf
}
