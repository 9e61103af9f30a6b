import { memoryPassageIndex } from './memory-passage-index'
import { passageIndexContract } from './passage-index.contract'

passageIndexContract('memory', () => Promise.resolve(memoryPassageIndex()))
