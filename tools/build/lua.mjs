import { readFileSync } from 'node:fs'

/** Returns a plugin that imports Lua scripts as text, for the build and for the tests. */
export const lua = () => ({
  name: 'lua',
  load: (id) =>
    id.endsWith('.lua')
      ? { code: `export default ${JSON.stringify(readFileSync(id, 'utf8'))}`, moduleType: 'js' }
      : null,
})
