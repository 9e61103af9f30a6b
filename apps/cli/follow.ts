import { ProblemError } from '@plumbline/client'
import type { RunView, StreamEvent } from '@plumbline/contracts'
import { decide } from './decide'
import { ending } from './render/answer'
import { narrator } from './render/narrate'
import { tracer } from './render/trace'
import type { Session } from './session'

/** The whole story where we may read it, else the asker's part of it. */
async function* story({ client }: Session, runId: string, signal: AbortSignal): AsyncGenerator<StreamEvent> {
  try {
    yield* client.events(runId, { audience: 'desk', signal })
  } catch (error) {
    if (!(error instanceof ProblemError) || error.problem.status !== 403) throw error
    yield* client.events(runId, { signal })
  }
}

/** Shows a run from its first event to its end, with every decision on the way. Null when it stays parked. */
export const follow = async (session: Session, runId: string, signal: AbortSignal): Promise<RunView | null> => {
  const { client, print, screen, options } = session
  const tell = options.trace ? tracer(screen) : narrator(screen)
  // A run that was parked and decided before we came tells of it again; only the review that is open now can be decided.
  let decided: string | undefined
  for await (const event of story(session, runId, signal)) {
    print(tell(event))
    if (event.type !== 'parked') continue
    const { review } = await client.run(runId, { signal })
    if (!review || review.taskId === decided) continue
    decided = review.taskId
    if (!(await decide(session, runId))) return null
  }
  signal.throwIfAborted()
  const view = await client.run(runId, { signal })
  print(ending(view, screen, options))
  return view
}
