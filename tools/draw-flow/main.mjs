import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

const root = join(import.meta.dirname, '..', '..')

const bundle = await rolldown({
  input: join(import.meta.dirname, 'pages.ts'),
  cwd: root,
  platform: 'node',
  tsconfig: join(root, 'tsconfig.json'),
})
const { output } = await bundle.generate({ format: 'esm', codeSplitting: false })
await bundle.close()
const { pages } = await import(`data:text/javascript;base64,${Buffer.from(output[0].code).toString('base64')}`)

for (const [name, text] of Object.entries(await pages())) {
  const file = join(root, 'docs', name)
  if (!process.argv.includes('--check')) writeFileSync(file, text)
  else if (readFileSync(file, 'utf8') !== text) {
    console.error(`docs/${name} is out of date: run \`node tools/draw-flow/main.mjs\`.`)
    process.exitCode = 1
  }
}
