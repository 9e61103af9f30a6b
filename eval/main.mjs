import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import { readWordsOrExit } from '../libs/commands/command.mjs'
import { evaluate } from '../libs/commands/rows/eval.mjs'
import { lua } from '../tools/build/lua.mjs'

const root = join(import.meta.dirname, '..')

/** A measurement is a module in this folder that exports `hasData`, `root`, `table` and `holds`. */
const moduleOf = (name) => join(import.meta.dirname, `${name}.ts`)
const { values, positionals } = readWordsOrExit(evaluate, process.argv.slice(2))
const [name = ''] = positionals
const { json: wanted, ...chosen } = values
const committed = join(import.meta.dirname, `${name}.figures.json`)

const ours = (id) => /^[./\0]|^@plumbline\/|^@oxc-project\/runtime/.test(id)
const bundle = await rolldown({
  input: { [name]: moduleOf(name) },
  cwd: root,
  platform: 'node',
  tsconfig: join(root, 'tsconfig.json'),
  external: (id) => !ours(id) && !/^[A-Za-z]:/.test(id),
  plugins: [lua()],
})
const folder = join(root, 'dist', 'eval')
await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' })
await bundle.close()

process.chdir(root)
const { hasData, holds, root: data, table } = await import(join(folder, `${name}.mjs`))
if (!hasData) {
  console.error(
    `Nothing was measured: set EVAL_DATA to the folder that holds the sets${data && ` (there is no ${data})`}.`,
  )
  process.exit(2)
}
const before = existsSync(committed) ? JSON.parse(readFileSync(committed, 'utf8')) : []
const rows = await table(before, (line) => console.log(line), chosen).catch((error) => {
  if (error.code !== 'wrong-words') throw error
  console.error(error.message)
  process.exit(2)
})
const out = wanted ? resolve(process.env.INIT_CWD ?? root, wanted) : join(folder, `${name}.figures.json`)
mkdirSync(dirname(out), { recursive: true })
writeFileSync(
  out,
  `${JSON.stringify(
    rows.map(({ msPerRow: _, ...row }) => row),
    null,
    2,
  )}\n`,
)
const broken = rows.filter((row) => !holds(row))
console.log(`\n${rows.length} measures, ${broken.length} below their floor; figures in ${out}`)
process.exitCode = broken.length > 0 ? 1 : 0
