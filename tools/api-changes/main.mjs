import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

const [before, after] = process.argv.slice(2)
if (!before || !after) {
  console.error('node tools/api-changes/main.mjs <openapi.json as it was> <openapi.json as it is>')
  process.exit(2)
}
const bundle = await rolldown({
  input: join(import.meta.dirname, '../../apps/gateway/spec/compare-descriptions.ts'),
  platform: 'node',
})
const { output } = await bundle.generate({ format: 'esm' })
await bundle.close()
const { breakingChanges } = await import(
  `data:text/javascript;base64,${Buffer.from(output[0].code).toString('base64')}`
)

const read = (file) => JSON.parse(readFileSync(file, 'utf8'))
const changes = breakingChanges(read(before), read(after))
for (const change of changes) console.log(change)
process.exitCode = changes.length > 0 ? 1 : 0
