import { memoryPassageIndex } from './memory-passage-index'
import { passageIndexContract } from './passage-index.contract'
import { tenantsContract } from './tenants.contract'

passageIndexContract('memory', () => Promise.resolve(memoryPassageIndex()))
tenantsContract('memory', () => Promise.resolve(memoryPassageIndex()), { queries: 2_000 })
