import { flowPage, reasonsPage } from './draw'
import { policiesPage } from './policies-page'

/** Every page that is written from the core. */
export const pages = (): Record<string, string> => ({
  'reference/flow.md': flowPage(),
  'reference/reasons.md': reasonsPage(),
  'understand/policies.md': policiesPage(),
})
