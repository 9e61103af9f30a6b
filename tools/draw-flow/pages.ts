import { flowPage, reasonsPage } from './draw'
import { policiesPage } from './policies-page'

/** Every page of the docs that is generated from the code. */
export const pages = (): Record<string, string> => ({
  'reference/flow.md': flowPage(),
  'reference/reasons.md': reasonsPage(),
  'understand/policies.md': policiesPage(),
})
