import { randomUUID } from 'node:crypto'
import { type Client, ProblemError } from '@plumbline/client'
import type { Decision, ReviewView, RunView, StreamEvent } from '@plumbline/contracts'
import type { Options } from './args'
import type { LineInput } from './line-input'
import { partState, runLines } from './render/answer'
import { type Choice, type ChosenDecision, choiceLine, choicesOf, draftLines, readChoice } from './render/draft'
import { eventNarrator, tracer } from './render/narrate'
import { collectParts } from './render/parts'
import type { Screen } from './render/text'

const patienceMs = 60_000
type HeldRun = Pick<ReviewView, 'taskId' | 'decider' | 'contradicted'>

const isRefused = (error: unknown, ...statuses: number[]): boolean =>
  error instanceof ProblemError && statuses.includes(error.problem.status)

const open = async ({ client, progress: { print, screen } }: Session, runId: string): Promise<HeldRun | null> => {
  try {
    await client.take(runId)
    const review = await client.review(runId)
    print(draftLines(review, screen))
    return review
  } catch (error) {
    if (!isRefused(error, 403)) throw error
    const { review } = await client.run(runId)
    return review?.decider === 'asker' ? review : null
  }
}

const choose = async (
  { lines, progress: { print, screen } }: Session,
  held: HeldRun,
): Promise<ChosenDecision | null> => {
  const choices = choicesOf(held.decider)
  const needsText = (choice: Choice): boolean =>
    choice === 'guide' || (choice === 'approve' && held.contradicted === true)
  print(['', choiceLine(choices, screen)])
  for (;;) {
    const typed = await lines.ask('> ', { withinMs: patienceMs })
    if (typed === null || typed.trim() === '-q') return null
    const chosen = readChoice(typed, choices)
    if (chosen && needsText(chosen.choice) && chosen.text === undefined) {
      const prompt =
        chosen.choice === 'guide' ? 'guidance> ' : 'The documents contradict a claim. Why do you release this draft? > '
      const text = (await lines.ask(prompt, { withinMs: patienceMs }))?.trim()
      if (text) return { ...chosen, text }
    } else if (chosen) return chosen
    print([`Type one of these letters: ${choiceLine(choices, screen)}`])
  }
}

const decisionFor = ({ choice, text }: ChosenDecision, taskId: string): Decision => {
  const named = { taskId, decisionId: randomUUID() }
  switch (choice) {
    case 'retry':
      return { ...named, action: 'retry' }
    case 'guide':
      return { ...named, action: 'retry', ...(text !== undefined && { guidance: text }) }
    case 'approve':
      return { ...named, action: 'approve', ...(text !== undefined && { note: text }) }
    case 'end':
      return { ...named, action: 'reject' }
  }
}

/** Lets the person decide about a draft that waits for review. Returns false if the run keeps waiting. */
const decide = async (session: Session, { id: runId, partial }: RunView): Promise<boolean> => {
  const { client, results, progress } = session
  const { print, screen } = progress
  const later = [results.screen.paint.dim(`The run stays parked. To open it again: npm run ask -- --run ${runId}`)]
  const held = await open(session, runId)
  if (!held) {
    const words = partial
      ? `${partState({ partial })} A reviewer will decide about the held draft.`
      : 'A reviewer will decide about this draft.'
    results.print(['', words, ...later])
    return false
  }
  const chosen = await choose(session, held)
  if (!chosen) {
    await client.putBack(runId).catch(() => undefined)
    results.print([...(partial ? ['', partState({ partial })] : []), ...later])
    return false
  }
  try {
    await client.decide(runId, decisionFor(chosen, held.taskId))
  } catch (error) {
    if (!isRefused(error, 409)) throw error
    print([screen.paint.warn('Another reviewer has already decided on this draft.')])
  }
  return true
}

export type Printer = { screen: Screen; print(lines: string[]): void }

/** `results` writes to standard output, and `progress` writes to standard error, so that a pipe gets only results. */
export type Session = { client: Client; options: Options; lines: LineInput; results: Printer; progress: Printer }

/** Yields the events of a run, with the details for reviewers if the key may read them. */
async function* story({ client }: Session, runId: string, signal: AbortSignal): AsyncGenerator<StreamEvent> {
  try {
    yield* client.events(runId, { audience: 'desk', signal })
  } catch (error) {
    if (!(error instanceof ProblemError) || error.problem.status !== 403) throw error
    yield* client.events(runId, { signal })
  }
}

/** Prints the progress of a run and the checked parts of its answer. With `--json`, prints no parts. */
const openPrinter = ({ results, progress, options }: Session) => {
  const tell = options.trace ? tracer(progress.screen) : eventNarrator(progress.screen)
  const parts = collectParts(results.screen)
  let last: 'progress' | 'part' = 'progress'
  const begin = (next: typeof last): void => {
    if (next !== last) progress.print([''])
    last = next
  }
  return {
    print: (event: StreamEvent): void => {
      const lines = tell(event)
      if (lines.length > 0) begin('progress')
      progress.print(lines)
      const part = options.json ? [] : parts.add(event)
      if (part.length > 0) begin('part')
      results.print(part)
    },
    end: (view: RunView): void => {
      if (options.json) return results.print([JSON.stringify(view)])
      if (parts.shown() !== '') begin('part')
      results.print(runLines(view, results.screen, { trace: options.trace, shown: parts.shown() }))
    },
  }
}

/** Follows a run to its end. At a review, asks the person for a decision. Stops with `--json` or without a decision. */
const follow = async (session: Session, runId: string, signal: AbortSignal): Promise<RunView> => {
  const { client, results, options } = session
  const printer = openPrinter(session)
  // The stream also contains `parked` events of earlier reviews. Only the review that is open now can be decided.
  let decided: string | undefined
  for await (const event of story(session, runId, signal)) {
    printer.print(event)
    if (event.type !== 'parked') continue
    const parked = await client.run(runId, { signal })
    if (!parked.review || parked.review.taskId === decided) continue
    decided = parked.review.taskId
    if (options.json) return (results.print([JSON.stringify(parked)]), parked)
    if (!(await decide(session, parked))) return parked
  }
  signal.throwIfAborted()
  const view = await client.run(runId, { signal })
  printer.end(view)
  return view
}

export type Outcome = 'answered' | 'failed' | 'parked' | 'unanswered' | 'cancelled'
const outcomes: Partial<Record<RunView['status'], Outcome>> = {
  answered: 'answered',
  parked: 'parked',
  failed: 'failed',
  expired: 'failed',
  rejected: 'failed',
  cancelled: 'failed',
}

/**
 * Cancels the run at the first Ctrl-C and ends the program at the second. A second signal within a second is ignored,
 * because the terminal and the parent process may both send the same Ctrl-C.
 */
const untilInterrupted = async <T>(
  work: (signal: AbortSignal) => Promise<T>,
  cancel: () => Promise<T>,
): Promise<{ result: T; interrupted: boolean }> => {
  const interrupted = new AbortController()
  let askedAt = 0
  const onSignal = (): void => {
    if (interrupted.signal.aborted && Date.now() - askedAt > 1_000) process.exit(130)
    askedAt ||= Date.now()
    interrupted.abort()
  }
  process.on('SIGINT', onSignal)
  try {
    return { result: await work(interrupted.signal), interrupted: false }
  } catch (error) {
    if (!interrupted.signal.aborted) throw error
    return { result: await cancel(), interrupted: true }
  } finally {
    process.removeListener('SIGINT', onSignal)
  }
}

const watch = async (session: Session, runId: string): Promise<Outcome> => {
  const { results, progress, options } = session
  const { result: view, interrupted } = await untilInterrupted(
    (signal) => follow(session, runId, signal),
    () => session.client.cancel(runId),
  )
  if (!interrupted) return outcomes[view.status] ?? 'unanswered'
  progress.print(['', 'Cancelled.', ...(view.partial && !options.json ? [partState(view)] : [])])
  if (options.json) results.print([JSON.stringify(view)])
  return 'cancelled'
}

export const askOnce = async (
  session: Session,
  question: string,
  threadId?: string,
  onAsked: (runId: string) => void = () => undefined,
): Promise<Outcome> => {
  const { policy, collection } = session.options
  const run = await session.client.ask({
    question,
    ...(policy && { policy }),
    ...(collection && { collection }),
    ...(threadId && { threadId }),
  })
  onAsked(run.id)
  return watch(session, run.id)
}

export const showRun = async (session: Session, runId: string): Promise<Outcome> => {
  await session.client.run(runId)
  return watch(session, runId)
}
