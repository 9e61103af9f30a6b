import type { CaseStore } from './store/cases'

export abstract class CasePorts {
  abstract readonly cases: CaseStore
}
