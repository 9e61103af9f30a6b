import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { check } from './plain-words.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, '../..')
const mostAllowed = 60
const skipped = /(^|\/)(node_modules|dist|coverage|runtime|peers)(\/|$)|(^|\/)\./

const filesIn = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (skipped.test(relative(root, path))) return []
    if (entry.isDirectory()) return filesIn(path)
    return /\.(tsx?|mjs|lua)$/.test(entry.name) ? [path] : []
  })

const files = ['apps', 'deploy', 'lab', 'libs', 'tools']
  .flatMap((folder) => filesIn(join(root, folder)))
  .map((path) => ({ path: relative(root, path), source: readFileSync(path, 'utf8') }))
const allowed = readFileSync(join(here, 'allowed.txt'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))

const { faults, unused } = check(files, allowed)
const problems = [
  ...faults,
  ...unused.map((path) => `${path} has no such comment: remove it from tools/plain-words/allowed.txt.`),
  ...(allowed.length > mostAllowed
    ? [`tools/plain-words/allowed.txt has ${allowed.length} lines; at most ${mostAllowed} are allowed.`]
    : []),
]
if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\n\nCONTRIBUTING.md explains how comments are written ("Voice").\n`)
  process.exitCode = 1
}
