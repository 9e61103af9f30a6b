import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { rolldown } from 'rolldown'

const root = join(import.meta.dirname, '..', '..')

/** What can be measured: a module beside this one that gives `hasData`, `root`, `table` and `holds`. */
const moduleOf = (name) => join(import.meta.dirname, name === 'skills' ? 'table.ts' : `${name}.ts`)

const [name = '', ...words] = process.argv.slice(2)
const wanted = words[0] === '--json' ? words[1] : undefined
const known = /^[a-z]+$/.test(name) && existsSync(moduleOf(name))
if (!known || (words.length > 0 && (!wanted || words.length > 2))) {
  console.error(`Usage: npm run eval:${known ? name : 'skills'} [-- --json <file>]`)
  process.exit(2)
}
const committed = join(import.meta.dirname, `${name}.figures.json`)

const ours = (id) => /^[./\0]|^@plumbline\/|^@oxc-project\/runtime/.test(id)
const bundle = await rolldown({
  input: { [name]: moduleOf(name) },
  cwd: root,
  platform: 'node',
  tsconfig: join(root, 'tsconfig.json'),
  external: (id) => !ours(id) && !/^[A-Za-z]:/.test(id),
})
const folder = join(root, 'dist', 'eval')
await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' })
await bundle.close()

process.chdir(root)
const { hasData, holds, root: data, table } = await import(join(folder, `${name}.mjs`))
if (!hasData) {
  console.error(`There is no folder ${data}, so nothing was measured: put the data there, or name another folder in EVAL_DATA.`)
  process.exit(2)
}
const before = existsSync(committed) ? JSON.parse(readFileSync(committed, 'utf8')) : []
const rows = await table(before, (line) => console.log(line))
const out = wanted ? resolve(process.env.INIT_CWD ?? root, wanted) : join(folder, `${name}.figures.json`)
mkdirSync(dirname(out), { recursive: true })
writeFileSync(out, `${JSON.stringify(rows.map(({ msPerRow: _, ...row }) => row), null, 2)}\n`)
const broken = rows.filter((row) => !holds(row))
console.log(`\n${rows.length} measures, ${broken.length} below their floor; figures in ${out}`)
process.exitCode = broken.length > 0 ? 1 : 0
