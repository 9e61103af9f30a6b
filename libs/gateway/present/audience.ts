import type { Run } from '@plumbline/flow'

/** `asker` sees what was released; `desk` sees everything. */
export type Audience = 'asker' | 'desk'

export const iso = (at: number): string => new Date(at).toISOString()

export const reviewTask = (run: Run) => run.open.find((task) => task.kind === 'review')

const released = new Set(['answered', 'needs_input', 'declined', 'unanswered'])

/** A second lock on the hold: no answer leaves for an asker with a run that ended in another way, whatever the run holds. */
export const releasedAnswer = ({ status, answer }: Pick<Run, 'status' | 'answer'>): Run['answer'] =>
  released.has(status) ? answer : undefined
