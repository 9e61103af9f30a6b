import { readFileSync } from 'node:fs'

/** Lua scripts are imported as text, by the build and by the tests alike. */
export const lua = () => ({
  name: 'lua',
  load: (id) =>
    id.endsWith('.lua')
      ? { code: `export default ${JSON.stringify(readFileSync(id, 'utf8'))}`, moduleType: 'js' }
      : null,
})
