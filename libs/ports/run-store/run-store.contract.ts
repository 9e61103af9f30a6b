import { describe } from 'vitest'
import { findingContract } from './finding.contract'
import { movesContract } from './moves.contract'
import { parkedContract } from './parked.contract'
import { readsContract } from './reads.contract'
import { settingOf, type RunStoreSubject } from './setting.contract'

export type { RunStoreSubject }

export const runStoreContract = (name: string, open: () => Promise<RunStoreSubject>): void => {
  describe(`${name} as a run store`, () => {
    const setting = settingOf(open)
    movesContract(setting)
    readsContract(setting)
    findingContract(setting)
    parkedContract(setting)
  })
}
