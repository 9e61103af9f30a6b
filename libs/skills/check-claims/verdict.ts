import type { Verdict } from '@plumbline/contracts'

/** What a check found, as people read it. */
export type Finding = { verdict: Verdict; reason: string; passageId: string | null; confidence?: number }

export const supported = (reason: string, passageId: string | null): Finding => ({
  verdict: 'supported',
  reason,
  passageId,
})
export const unsupported = (reason: string, passageId: string | null = null): Finding => ({
  verdict: 'unsupported',
  reason,
  passageId,
})
export const contradicted = (reason: string, passageId: string | null): Finding => ({
  verdict: 'contradicted',
  reason,
  passageId,
})

/** One contradiction spoils a claim, then one gap. */
export const worst = (findings: Finding[]): Finding | null =>
  findings.find(({ verdict }) => verdict === 'contradicted') ??
  findings.find(({ verdict }) => verdict === 'unsupported') ??
  findings[0] ??
  null
