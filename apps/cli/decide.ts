import { randomUUID } from 'node:crypto'
import { ProblemError } from '@plumbline/client'
import type { Decision, ReviewView } from '@plumbline/contracts'
import { choicesOf, heldDraft, offered, readChoice, type Choice } from './render/draft'
import type { Session } from './session'

const patienceMs = 60_000
type Held = Pick<ReviewView, 'taskId' | 'decider'>

const isRefused = (error: unknown, ...statuses: number[]): boolean =>
  error instanceof ProblemError && statuses.includes(error.problem.status)

/** The draft, opened for us alone; without the right to read it only what an asker may know. */
const open = async ({ client, print, screen }: Session, runId: string): Promise<Held | null> => {
  try {
    await client.take(runId)
    const review = await client.review(runId)
    print(heldDraft(review, screen))
    return review
  } catch (error) {
    if (!isRefused(error, 403)) throw error
    const { review } = await client.run(runId)
    return review?.decider === 'asker' ? review : null
  }
}

const choose = async (
  { lines, print, screen }: Session,
  choices: Choice[],
): Promise<{ choice: Choice; guidance?: string } | null> => {
  print(['', offered(choices, screen)])
  for (;;) {
    const typed = await lines.ask('> ', { withinMs: patienceMs })
    if (typed === null || typed.trim() === '-q') return null
    const chosen = readChoice(typed, choices)
    if (chosen?.choice === 'guide' && chosen.guidance === undefined) {
      const guidance = (await lines.ask('guidance> ', { withinMs: patienceMs }))?.trim()
      if (guidance) return { choice: 'guide', guidance }
    } else if (chosen) return chosen
    print([`Type one of these letters: ${offered(choices, screen)}`])
  }
}

const decisionFor = ({ choice, guidance }: { choice: Choice; guidance?: string }, taskId: string): Decision => {
  const named = { taskId, decisionId: randomUUID() }
  switch (choice) {
    case 'retry':
      return { ...named, action: 'retry' }
    case 'guide':
      return { ...named, action: 'retry', ...(guidance !== undefined && { guidance }) }
    case 'approve':
      return { ...named, action: 'approve' }
    case 'end':
      return { ...named, action: 'reject' }
  }
}

/** Lets the person decide a parked run. False when the run stays parked. */
export const decide = async (session: Session, runId: string): Promise<boolean> => {
  const { client, print, screen } = session
  const later = [screen.paint.dim(`The run stays parked. Come back to it with: npm run ask -- --run ${runId}`)]
  const held = await open(session, runId)
  if (!held) {
    print(['', 'A reviewer decides about this draft.', ...later])
    return false
  }
  const chosen = await choose(session, choicesOf(held.decider))
  if (!chosen) {
    await client.putBack(runId).catch(() => undefined)
    print(later)
    return false
  }
  try {
    await client.decide(runId, decisionFor(chosen, held.taskId))
  } catch (error) {
    if (!isRefused(error, 409)) throw error
    print([screen.paint.warn('Somebody else decided meanwhile.')])
  }
  return true
}
