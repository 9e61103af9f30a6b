import { setTimeout as wait } from 'node:timers/promises'
import { Injectable } from '@nestjs/common'
import type { LiveHint, LiveTopics } from '@plumbline/contracts'
import { Documents } from '../documents/documents.service'
import type { Caller } from '../http/authenticate'
import { hasRole } from '../http/caller'
import { Refusal } from '../http/problem'
import { RunPorts, ReviewPorts, DocumentPorts, type Listener } from '../ports'
import { Runs } from '../runs/runs.service'
import { bounds } from '../settings'
import { beat, frameOf } from '../streams/stream'

type Watch = {
  tenant: string
  topics: LiveHint[]
  write: (text: string) => Promise<boolean>
  signal: AbortSignal
}

const atMostEveryMs = 100

const isSeen = (look: Promise<unknown>): Promise<boolean> =>
  look.then(
    () => true,
    (error: unknown) => {
      if (error instanceof Refusal && error.problem.status === 404) return false
      throw error
    },
  )

const gather = (listeners: Map<LiveHint, Listener>, signal: AbortSignal) => {
  const changed = new Set<LiveHint>()
  let closed = false
  let resume: (() => void) | undefined
  const follow = async (hint: LiveHint, listener: Listener): Promise<void> => {
    while ((await listener.next()) !== 'closed') {
      changed.add(hint)
      resume?.()
    }
    closed = true
    resume?.()
  }
  for (const [hint, listener] of listeners) void follow(hint, listener)
  signal.addEventListener('abort', () => resume?.(), { once: true })
  /** Waits for the next changes. Returns an empty list for a heartbeat, and null at the end of the stream. */
  return async (): Promise<LiveHint[] | null> => {
    if (changed.size === 0 && !closed && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, bounds.heartbeatMs)
        resume = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    if (closed || signal.aborted) return null
    const told = [...changed]
    changed.clear()
    return told
  }
}

@Injectable()
export class Live {
  constructor(
    private readonly runPorts: RunPorts,
    private readonly reviewPorts: ReviewPorts,
    private readonly documentPorts: DocumentPorts,
    private readonly runs: Runs,
    private readonly documents: Documents,
  ) {}

  /** Topics that the caller may not see are left out, because an error would reveal that the run or document exists. */
  async topicsFor(caller: Caller, { runs, documents, desk }: LiveTopics): Promise<LiveHint[]> {
    if (desk && !hasRole(caller, 'reviewer'))
      throw new Refusal('forbidden', 'The parameter desk=true needs a key with the role reviewer.')
    const named: LiveHint[] = [
      ...runs.map((id) => ({ type: 'run' as const, id })),
      ...documents.map((id) => ({ type: 'document' as const, id })),
    ]
    const seen = await Promise.all(
      named.map((hint) =>
        isSeen(
          hint.type === 'run'
            ? this.runs.get(caller, hint.id)
            : this.documents.get(caller, 'id' in hint ? hint.id : ''),
        ),
      ),
    )
    return [...named.filter((_, i) => seen[i]), ...(desk ? [{ type: 'desk' as const }] : [])]
  }

  async send({ tenant, topics, write, signal }: Watch): Promise<void> {
    const listeners = new Map(topics.map((hint) => [hint, this.listen(tenant, hint, signal)]))
    const next = gather(listeners, signal)
    try {
      for (;;) {
        const changed = await next()
        if (changed === null) return
        const text = changed.length === 0 ? beat : changed.map((hint) => frameOf(hint.type, hint)).join('')
        if (!(await write(text))) return
        await wait(atMostEveryMs)
      }
    } finally {
      for (const listener of listeners.values()) listener.close()
    }
  }

  private listen(tenant: string, hint: LiveHint, signal: AbortSignal): Listener {
    const { runHub } = this.runPorts
    const { documentHub } = this.documentPorts
    const { deskHub } = this.reviewPorts
    switch (hint.type) {
      case 'run':
        return runHub.listen(hint.id, signal)
      case 'document':
        return documentHub.listen(hint.id, signal)
      case 'desk':
        return deskHub.listen(tenant, signal)
    }
  }
}
