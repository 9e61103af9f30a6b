import { readFileSync } from 'node:fs'

export const lua = () => ({
  name: 'lua',
  load: (id) =>
    id.endsWith('.lua')
      ? { code: `export default ${JSON.stringify(readFileSync(id, 'utf8'))}`, moduleType: 'js' }
      : null,
})
