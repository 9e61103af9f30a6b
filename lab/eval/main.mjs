import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { readWordsOrExit } from '../../libs/commands/command.mjs'
import { evaluate } from '../../libs/commands/rows/eval.mjs'

const root = join(import.meta.dirname, '..', '..')
const folder = join(root, 'dist', 'eval')

const { values, positionals } = readWordsOrExit(evaluate, process.argv.slice(2))
const [name = ''] = positionals
const { json: wanted, ...chosen } = values
const committed = join(import.meta.dirname, `${name}.figures.json`)

process.chdir(root)
// A measurement is a module in this folder that exports these four names.
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
