import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const root = join(import.meta.dirname, '..', '..')
const read = (name) => readFileSync(join(root, 'docs', name), 'utf8')

// The bundle lies in node_modules, so that it finds the packages that it does not contain.
const file = join(root, 'node_modules', `.draw-flow-${process.pid}.mjs`)
const bundle = await rolldown({
  input: join(import.meta.dirname, 'pages.ts'),
  cwd: root,
  platform: 'node',
  tsconfig: join(root, 'tsconfig.json'),
  external: /^(?:[a-z]|@(?!plumbline\/))/,
})
try {
  await bundle.write({ file, format: 'esm', codeSplitting: false })
  const { pages } = await import(pathToFileURL(file).href)
  for (const [name, text] of Object.entries(await pages(read))) {
    if (!process.argv.includes('--check')) writeFileSync(join(root, 'docs', name), text)
    else if (read(name) !== text) {
      console.error(`docs/${name} is out of date: run \`node tools/draw-flow/main.mjs\`.`)
      process.exitCode = 1
    }
  }
} finally {
  await bundle.close()
  rmSync(file, { force: true })
}
