import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { rolldown } from 'rolldown'

const root = join(import.meta.dirname, '..', '..')

/** What can be measured, each by a module that gives `hasData`, `root`, `table` and `holds`. */
const evals = { skills: 'table.ts', parsers: 'parsers.ts' }

const [name, ...words] = process.argv.slice(2)
const wanted = words[0] === '--json' ? words[1] : undefined
if (!(name in evals) || (words.length > 0 && (!wanted || words.length > 2))) {
  console.error(`Usage: npm run eval:${name in evals ? name : Object.keys(evals).join('|')} [-- --json <file>]`)
  process.exit(2)
}
const committed = join(import.meta.dirname, `${name}.figures.json`)

const ours = (id) => /^[./\0]|^@plumbline\/|^@oxc-project\/runtime/.test(id)
const bundle = await rolldown({
  input: join(import.meta.dirname, evals[name]),
  cwd: root,
  platform: 'node',
  tsconfig: join(root, 'tsconfig.json'),
  external: (id) => !ours(id) && !/^[A-Za-z]:/.test(id),
})
const file = join(root, 'dist', 'eval', `${name}.mjs`)
await bundle.write({ file, format: 'esm', codeSplitting: false })
await bundle.close()

process.chdir(root)
const { hasData, holds, root: data, table } = await import(file)
if (!hasData) {
  console.error(`There is no folder ${data}, so nothing was measured: put the data there, or name another folder in EVAL_DATA.`)
  process.exit(2)
}
const before = existsSync(committed) ? JSON.parse(readFileSync(committed, 'utf8')) : []
const rows = await table(before, (line) => console.log(line))
const out = wanted ? resolve(process.env.INIT_CWD ?? root, wanted) : join(root, 'dist', 'eval', `${name}.figures.json`)
mkdirSync(dirname(out), { recursive: true })
writeFileSync(out, `${JSON.stringify(rows.map(({ msPerRow: _, ...row }) => row), null, 2)}\n`)
const broken = rows.filter((row) => !holds(row))
console.log(`\n${rows.length} measures, ${broken.length} below their floor; figures in ${out}`)
process.exitCode = broken.length > 0 ? 1 : 0
