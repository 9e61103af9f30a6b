import { flowPage, reasonsPage } from './draw'
import { policiesPage } from './policies-page'

export const pages = (): Record<string, string> => ({
  'reference/flow.md': flowPage(),
  'reference/reasons.md': reasonsPage(),
  'understand/policies.md': policiesPage(),
})
