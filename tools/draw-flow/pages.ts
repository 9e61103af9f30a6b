import { commandsPage } from './commands-page'
import { flowPage } from './draw'
import { policiesPage } from './policies-page'
import { reasonsPage } from './reasons-page'

export const pages = async (): Promise<Record<string, string>> => ({
  'reference/commands.md': await commandsPage(),
  'reference/flow.md': flowPage(),
  'reference/reasons.md': reasonsPage(),
  'understand/policies.md': policiesPage(),
})
