import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import {
  type CallToolResult,
  CancelledNotificationSchema,
  ListResourcesRequestSchema,
  type ListResourcesResult,
  ReadResourceRequestSchema,
  type ReadResourceResult,
  type RequestId,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import type { Search } from '@plumbline/contracts'
import type { z } from 'zod'
import { bounds } from '@plumbline/gateway/settings'
import { type AskInput, type GetRunInput, tools } from './tools'

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>
export type Call = { id: RequestId; signal: AbortSignal; tell: (message: string) => Promise<void> }

export type McpTools = {
  ask(input: AskInput, call: Call): Promise<CallToolResult>
  getRun(input: z.infer<typeof GetRunInput>, call: Call): Promise<CallToolResult>
  search(input: Search): Promise<CallToolResult>
  documents(cursor: string | undefined): Promise<ListResourcesResult>
  document(uri: string): Promise<ReadResourceResult>
  cancelled(id: RequestId): Promise<void>
}

const instructions =
  'Answers come from this company’s documents and are checked before they are shown. Give the sources with what you take from them.'

// All requests share one validator, because creating a validator is slow.
const validator = new AjvJsonSchemaValidator()

const callOf = ({ requestId, signal, _meta, sendNotification }: Extra): Call => {
  const progressToken = _meta?.progressToken
  let progress = 0
  return {
    id: requestId,
    signal,
    tell: async (message) => {
      if (progressToken === undefined || signal.aborted) return
      progress += 1
      await sendNotification({ method: 'notifications/progress', params: { progressToken, progress, message } })
    },
  }
}

/** Creates the MCP server for one request. It keeps no state, so that any gateway can serve the next request. */
export const openMcp = async (own: McpTools) => {
  const server = new McpServer(
    { name: 'plumbline', title: 'Plumbline', version: '1' },
    { instructions, jsonSchemaValidator: validator },
  )
  server.registerTool('ask', tools.ask, (input, extra) => own.ask(input, callOf(extra)))
  server.registerTool('get_run', tools.get_run, (input, extra) => own.getRun(input, callOf(extra)))
  server.registerTool('search_passages', tools.search_passages, (input) => own.search(input))
  server.server.registerCapabilities({ resources: {} })
  server.server.setRequestHandler(ListResourcesRequestSchema, ({ params }) => own.documents(params?.cursor))
  server.server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => own.document(params.uri))
  // Cancel the run in the store, because another gateway may be serving the call.
  server.server.setNotificationHandler(CancelledNotificationSchema, async ({ params: { requestId } }) => {
    if (requestId !== undefined) await own.cancelled(requestId)
  })
  const transport = new WebStandardStreamableHTTPServerTransport({ keepAliveMs: bounds.heartbeatMs })
  await server.connect(transport)
  return {
    handle: (request: Request, body: unknown): Promise<Response> =>
      transport.handleRequest(request, { parsedBody: body }),
    close: (): Promise<void> => server.close(),
  }
}
