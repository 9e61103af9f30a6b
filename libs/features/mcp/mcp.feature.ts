import { routesOnly } from '@plumbline/gateway/feature'
import { McpController } from './mcp.controller'
import { McpCalls } from './mcp.service'

/** Lets agents ask and search through the Model Context Protocol. */
export const mcp = routesOnly('mcp', [McpController], [McpCalls])
