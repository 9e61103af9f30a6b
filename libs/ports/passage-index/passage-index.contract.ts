import { afterAll, beforeAll, describe } from 'vitest'
import { kitOf } from './kit.contract'
import { scopeContract } from './scope.contract'
import { versionsContract } from './versions.contract'
import { searchMethodsContract } from './search-methods.contract'
import type { PassageIndex } from './passage-index'

export const passageIndexContract = (name: string, open: () => Promise<PassageIndex>): void => {
  describe(`passage index: ${name}`, () => {
    let index: PassageIndex
    beforeAll(async () => void (index = await open()))
    afterAll(() => index.close())
    const kit = kitOf(() => index)
    scopeContract(kit)
    searchMethodsContract(kit)
    versionsContract(kit)
  })
}
