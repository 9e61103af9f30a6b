import { flowPage, reasonsPage } from './draw'
import { policiesPage } from './policies-page'

/** Returns the documentation pages that are generated from the code, by path. */
export const pages = (): Record<string, string> => ({
  'reference/flow.md': flowPage(),
  'reference/reasons.md': reasonsPage(),
  'understand/policies.md': policiesPage(),
})
