import { type Feature, provide } from '@plumbline/gateway/feature'
import { CasePorts } from './case-ports'
import { CasesController } from './cases.controller'
import { storeCases } from './store-cases'
import { openCases } from './store/cases'

/** Keeps reviewed drafts as test cases for `keptDays` days. If `keptDays` is 0, keeps no cases. */
export const cases = (keptDays: number): Feature => ({
  name: 'cases',
  controllers: [CasesController],
  services: [],
  open: ({ redis, store }) => {
    const cases = openCases(redis, keptDays)
    return { ports: [provide(CasePorts, { cases })], onDecision: storeCases(store, cases) }
  },
})
