import type {
  CallToolResult,
  ListResourcesResult,
  ReadResourceResult,
  RequestId,
} from '@modelcontextprotocol/sdk/types.js'
import { Injectable } from '@nestjs/common'
import type { Run } from '@plumbline/flow'
import { mayRead } from '@plumbline/ports/passage-index/passage-index'
import { Documents } from '@plumbline/gateway/documents/documents.service'
import { exportDocument } from '@plumbline/gateway/documents/export-document'
import { Searches } from '@plumbline/gateway/documents/search.service'
import { ReadRates } from '@plumbline/gateway/admission/read-rates.service'
import type { Caller } from '@plumbline/gateway/http/authenticate'
import { hasRole } from '@plumbline/gateway/http/caller'
import { notFound, Refusal, refusalOf } from '@plumbline/gateway/http/problem'
import { isDocumentId, isRunId, newId } from '@plumbline/gateway/http/request-values'
import { Common } from '@plumbline/gateway/ports'
import { Asks } from '@plumbline/gateway/runs/ask.service'
import { RunEvents, positionAfter } from '@plumbline/gateway/runs/run-events.service'
import { Runs } from '@plumbline/gateway/runs/runs.service'
import { RunWaiter } from '@plumbline/gateway/runs/wait-for-run.service'
import { bounds } from '@plumbline/gateway/settings'
import type { Call, McpTools } from './server'
import { progressOf, passagesResult, runResult } from './tools'

/** `session` is the MCP session id. A call without a session cannot be cancelled by its id. */
type ToolCaller = { caller: Caller; session: string | undefined; origin: string }

const documentUri = 'plumbline://documents/'
const noSuchResource = -32_002

const isKeyReused = (error: unknown): boolean => refusalOf(error).problem.type.endsWith(':idempotency-key-reused')

// Clients cannot send an Idempotency-Key with spaces, so no client can create this run in advance.
const keyOf = (session: string, id: RequestId): string => `mcp ${session} ${JSON.stringify(id)}`

@Injectable()
export class McpCalls {
  constructor(
    private readonly asks: Asks,
    private readonly runs: Runs,
    private readonly waiting: RunWaiter,
    private readonly events: RunEvents,
    private readonly searches: Searches,
    private readonly documents: Documents,
    private readonly reads: ReadRates,
    private readonly common: Common,
  ) {}

  toolsFor(by: ToolCaller): McpTools {
    const { caller, session } = by
    return {
      ask: ({ waitSeconds, ...ask }, call) =>
        this.answered(async () => {
          if (!hasRole(caller, 'asker')) throw new Refusal('forbidden', 'This request needs a key with the role asker.')
          const key = session === undefined ? undefined : keyOf(session, call.id)
          const run = await this.ended(by, waitSeconds, call, () =>
            this.asks.ask(caller, ask, key, call.signal).catch((error: unknown) => {
              // A client that resumes its session may reuse a call id for a new question. Ask this question without a
              // key.
              if (!isKeyReused(error)) throw error
              return this.asks.ask(caller, ask, undefined, call.signal)
            }),
          )
          // A client without a session cannot cancel the call later, so a lost connection cancels the run.
          if (call.signal.aborted && session === undefined) await this.runs.giveUp(caller, run.id)
          return this.told(by, run)
        }),
      getRun: ({ runId, waitSeconds }, call) =>
        this.answered(async () => {
          await this.reads.enter(caller)
          if (!isRunId(runId)) throw notFound('run')
          return this.told(by, await this.ended(by, waitSeconds, call, () => this.runs.get(caller, runId)))
        }),
      search: (asked) =>
        this.answered(async () => {
          await this.reads.enter(caller)
          return passagesResult(await this.searches.search(caller, asked))
        }),
      documents: (cursor) => this.orSaid(() => this.listDocuments(caller, cursor)),
      document: (uri) => this.orSaid(() => this.readDocument(caller, uri)),
      cancelled: async (id) => {
        if (session !== undefined) await this.runs.giveUp(caller, newId('r', caller.tenant, keyOf(session, id)))
      },
    }
  }

  private async told({ origin }: ToolCaller, run: Run): Promise<CallToolResult> {
    return runResult(run, await this.runs.view(run, 'asker'), origin)
  }

  private async ended(
    { caller }: ToolCaller,
    seconds: number,
    { signal, tell }: Call,
    find: () => Promise<Run>,
  ): Promise<Run> {
    const over = new AbortController()
    const following = async (): Promise<Run> => {
      const run = await find()
      const reader = {
        show: async (event: Parameters<typeof progressOf>[0]) => {
          const message = progressOf(event)
          if (message !== null) await tell(message)
          return true
        },
        beat: () => tell('Still in progress').then(() => true),
      }
      this.events
        .send(positionAfter(run, 'asker'), reader, AbortSignal.any([signal, over.signal]))
        .catch((error: unknown) => this.common.log.warn({ err: error, runId: run.id }, 'mcp progress not sent'))
      return run
    }
    try {
      const within = Math.min(seconds, this.common.settings.clientWaitSeconds)
      return await this.waiting.untilEnded(caller.tenant, following, within, signal)
    } finally {
      over.abort()
    }
  }

  private async listDocuments(caller: Caller, cursor: string | undefined): Promise<ListResourcesResult> {
    await this.reads.enter(caller)
    const page = { status: 'indexed' as const, limit: bounds.page.most, ...(cursor !== undefined && { cursor }) }
    const { items, next } = await this.documents.list(caller, page)
    const resources = items
      .filter(({ access }) => mayRead(caller.access, access))
      .map(({ id, title, collection }) => ({
        uri: `${documentUri}${id}`,
        name: title,
        description: `In ${collection}`,
      }))
    return { resources, ...(next !== null && { nextCursor: next }) }
  }

  private async readDocument(caller: Caller, uri: string): Promise<ReadResourceResult> {
    await this.reads.enter(caller)
    const id = uri.startsWith(documentUri) ? uri.slice(documentUri.length) : ''
    if (!isDocumentId(id)) throw notFound('document')
    const { type, body } = exportDocument(await this.documents.content(caller, id), 'markdown')
    return { contents: [{ uri, mimeType: type, text: body }] }
  }

  /** Returns the text of an error, which tells the client's model what to do next and reveals no internals. */
  private said(error: unknown): string {
    const { problem } = refusalOf(error)
    if (problem.status >= 500) this.common.log.warn({ err: error }, `mcp call failed with status ${problem.status}`)
    return `${problem.title}. ${problem.detail}`
  }

  private async answered(call: () => Promise<CallToolResult>): Promise<CallToolResult> {
    try {
      return await call()
    } catch (error) {
      return { isError: true, content: [{ type: 'text', text: this.said(error) }] }
    }
  }

  private async orSaid<Done>(call: () => Promise<Done>): Promise<Done> {
    try {
      return await call()
    } catch (error) {
      throw Object.assign(new Error(this.said(error)), { code: noSuchResource })
    }
  }
}
