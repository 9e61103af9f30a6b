import type { CaseSummary, Verdict } from '@plumbline/contracts'

export const decisionLabels: Record<CaseSummary['action'], string> = {
  approve: 'approved',
  edit: 'edited',
  retry: 'sent back for a new draft',
  research: 'sent back for research',
  reject: 'rejected',
}

const statusLabels: Record<string, string> = { needs_input: 'needs input' }
export const outcomeLabel = (status: string | undefined): string =>
  status === undefined ? 'running' : (statusLabels[status] ?? status)

/** Returns the words of a reason code. For example, `parked.edit-ungrounded` becomes `edit ungrounded`. */
export const reasonLabel = (reason: string): string => reason.replace(/^\w+\./, '').replaceAll('-', ' ')

/** The symbol and the color of each verdict. The symbols differ in shape, so that the color is not needed. */
export const verdictMarks: Record<Verdict, { mark: string; tone: 'good' | 'warn' | 'bad' }> = {
  supported: { mark: '●', tone: 'good' },
  unsupported: { mark: '○', tone: 'warn' },
  contradicted: { mark: '■', tone: 'bad' },
}

export const percent = (share: number): string => `${Math.round(share * 100)}\u00a0%`
export const scoreText = (score: number | null): string => (score === null ? '–' : score.toFixed(2))
