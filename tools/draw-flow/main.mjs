import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

const root = join(import.meta.dirname, '..', '..')
const file = join(root, 'docs', 'flow.md')

const bundle = await rolldown({ input: join(import.meta.dirname, 'draw.ts'), cwd: root, platform: 'node', tsconfig: join(root, 'tsconfig.json') })
const { output } = await bundle.generate({ format: 'esm' })
await bundle.close()
const { drawing } = await import(`data:text/javascript;base64,${Buffer.from(output[0].code).toString('base64')}`)

if (process.argv.includes('--check')) {
  if (readFileSync(file, 'utf8') !== drawing()) {
    console.error('docs/flow.md is out of date: run `node tools/draw-flow/main.mjs`.')
    process.exitCode = 1
  }
} else writeFileSync(file, drawing())
