import type { CaseSummary, Verdict } from '@plumbline/contracts'

/** What became of the draft, in the past. */
export const doneWords: Record<CaseSummary['action'], string> = {
  approve: 'approved',
  edit: 'edited',
  retry: 'written again',
  research: 'researched again',
  reject: 'rejected',
}

const statusWords: Record<string, string> = { needs_input: 'asked back' }
/** How the run of a case ended. */
export const outcomeWords = (status: string | undefined): string =>
  status === undefined ? 'goes on' : (statusWords[status] ?? status)

/** `parked.edit-ungrounded` as `edit ungrounded`. */
export const reasonWords = (reason: string): string => reason.replace(/^\w+\./, '').replaceAll('-', ' ')

/** Shape beside the word and the colour. */
export const verdictMarks: Record<Verdict, { mark: string; tone: 'good' | 'warn' | 'bad' }> = {
  supported: { mark: '●', tone: 'good' },
  unsupported: { mark: '○', tone: 'warn' },
  contradicted: { mark: '■', tone: 'bad' },
}

export const percent = (share: number): string => `${Math.round(share * 100)}\u00a0%`
export const scoreText = (score: number | null): string => (score === null ? '–' : score.toFixed(2))
