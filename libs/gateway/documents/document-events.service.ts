import { setTimeout as wait } from 'node:timers/promises'
import { Injectable } from '@nestjs/common'
import type { DocumentView } from '@plumbline/contracts'
import type { Caller } from '../http/authenticate'
import { contentHash } from '../http/request-values'
import { Refusal } from '../http/problem'
import { isUnavailable } from '../http/problem'
import { beat, frameOf } from '../streams/stream'
import { DocumentPorts, withGatewayTimeout, type Listener } from '../ports'
import { Documents } from './documents.service'

type Watch = {
  caller: Caller
  id: string
  after: string | null
  write: (text: string) => Promise<boolean>
  signal: AbortSignal
}

const atMostEveryMs = 100
const hasEnded = ({ status }: DocumentView): boolean => status === 'indexed' || status === 'failed'
/** The event id of a document's state. A reader who reconnects with this id gets only newer states. */
const markOf = (view: DocumentView): string => contentHash(view).slice(0, 22)

@Injectable()
export class DocumentEvents {
  constructor(
    private readonly documents: Documents,
    private readonly documentPorts: DocumentPorts,
  ) {}

  async anyAfter(caller: Caller, id: string, after: string | null): Promise<boolean> {
    const view = await this.documents.get(caller, id)
    return !hasEnded(view) || markOf(view) !== after
  }

  async send({ caller, id, after, write, signal }: Watch): Promise<void> {
    const listener = this.documentPorts.documentHub.listen(id, signal)
    try {
      for (let seen = after; !signal.aborted;) {
        const view = await this.look(caller, id, listener)
        if (view === 'gone') return
        const mark = view === 'away' ? seen : markOf(view)
        if (view !== 'away' && mark !== seen && !(await write(frameOf('document', view, mark ?? undefined)))) return
        seen = mark
        if (view !== 'away' && hasEnded(view)) return
        await wait(atMostEveryMs)
        const woken = await listener.next()
        if (woken === 'closed' || (woken === 'beat' && !(await write(beat)))) return
      }
    } finally {
      listener.close()
    }
  }

  // Returns `away` while the store is unavailable, so that the stream stays open.
  private async look(caller: Caller, id: string, { share }: Listener): Promise<DocumentView | 'gone' | 'away'> {
    const { catalog } = this.documentPorts
    try {
      return await this.documents.get(caller, id, (tenant) =>
        share(tenant, () => withGatewayTimeout(() => catalog.document(tenant, id))),
      )
    } catch (error) {
      if (error instanceof Refusal && error.problem.status === 404) return 'gone'
      if (isUnavailable(error)) return 'away'
      throw error
    }
  }
}
