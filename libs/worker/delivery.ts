/** One arrival of a job at a worker. `redelivered`: an earlier delivery of the same job ended without a word. */
export type Delivery = { runId: string; taskId: string; redelivered: boolean }

/**
 * What becomes of the delivery: `done` is acknowledged, `later` comes again after the pause, `back` is for another
 * worker at once.
 */
export type Disposition = { kind: 'done' } | { kind: 'later'; inMs: number } | { kind: 'back' }
