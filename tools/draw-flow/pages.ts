import { commandsPage } from './commands-page'
import { flowPage } from './draw'
import { policiesPage } from './policies-page'
import { reasonsPage } from './reasons-page'
import { missingSettings, settingsPages, withSettings } from './settings-tables'

const settings = (read: (page: string) => string): Record<string, string> => {
  const written = settingsPages.map((page) => [page, withSettings(page, read(page))] as const)
  const missing = missingSettings(written.map(([, text]) => text))
  if (missing.length > 0)
    throw new Error(`Add rows for ${missing.join(', ')} to the tables of docs/reference/settings.md.`)
  return Object.fromEntries(written)
}

export const pages = async (read: (page: string) => string): Promise<Record<string, string>> => ({
  'reference/commands.md': await commandsPage(),
  'reference/flow.md': flowPage(),
  'reference/reasons.md': reasonsPage(),
  'understand/policies.md': policiesPage(),
  ...settings(read),
})
