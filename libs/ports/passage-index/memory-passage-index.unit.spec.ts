import { memoryPassageIndex } from './memory-passage-index'
import { passageIndexContract } from './passage-index.contract'
import { tenantsContract } from './tenants.contract'

passageIndexContract('memory', () => Promise.resolve(memoryPassageIndex()))
tenantsContract('memory', () => Promise.resolve(memoryPassageIndex()), { tenants: 20, queries: 3_000 })
