import { readFileSync } from 'node:fs'

/** Returns a bundler plugin that imports Lua scripts as text. The build and the tests use it. */
export const lua = () => ({
  name: 'lua',
  load: (id) =>
    id.endsWith('.lua')
      ? { code: `export default ${JSON.stringify(readFileSync(id, 'utf8'))}`, moduleType: 'js' }
      : null,
})
