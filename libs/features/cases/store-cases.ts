import type { OnDecision } from '@plumbline/gateway/feature'
import { hasEnded } from '@plumbline/gateway/present/answer'
import type { RunStore } from '@plumbline/ports/run-store/run-store'
import { casePassages, casesOf } from './case-of'
import type { CaseStore } from './store/cases'

export const storeCases =
  (store: RunStore, cases: CaseStore): OnDecision =>
  async (run, ledger) => {
    if (cases.keptDays === 0 || !ledger.some(({ type }) => type === 'decided')) return
    const passages = await store.evidence(run.id, casePassages(run, ledger))
    for (const kept of casesOf(run, ledger, passages))
      if (hasEnded(run) || !(await cases.has(run.tenant, kept.value.id))) await cases.put(run.tenant, kept)
  }
