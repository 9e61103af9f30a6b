import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { format, getFileInfo, resolveConfig } from 'prettier'
import { editsFor, filesFor } from './edits.mjs'

const root = join(import.meta.dirname, '..', '..')
const [stage = '', task = '', ...rest] = process.argv.slice(2)
const word = /^[a-z]+(-[a-z]+)*$/
const read = (file) => readFileSync(join(root, file), 'utf8')

const fail = (status, why) => {
  console.error(why)
  process.exit(status)
}
const refuse = (why) =>
  fail(
    2,
    `${why}\nUse: node tools/new-stage/main.mjs <stage> <task>, both in lower-case words joined by dashes, for example: translator translate`,
  )
if (!word.test(stage) || !word.test(task)) refuse('A stage and its task need names.')
if (rest.length > 0) refuse(`${rest.join(' ')} is one word too many: it writes one stage with one task.`)
if (existsSync(join(root, 'libs/stages', stage)) || existsSync(join(root, 'apps', stage)))
  refuse(`A stage or an app is called ${stage} already.`)
if (read('libs/flow/schema/task-table.ts').includes(`task('${task}',`)) refuse(`A task is called ${task} already.`)

const insert = (file, source, { anchor, text, times }) => {
  const parts = source.split(anchor)
  if (parts.length !== times + 1)
    fail(
      1,
      `${file} has ${parts.length - 1} instead of ${times} places like ${anchor}, so nothing was written. Correct tools/new-stage/edits.mjs.`,
    )
  return source.replaceAll(anchor, (found) => text + found)
}
const files = [
  ...Object.entries(filesFor(stage, task, read('apps/planner/project.json'))),
  ...Object.entries(editsFor(stage, task)).map(([file, changes]) => [
    file,
    changes.reduce((text, change) => insert(file, text, change), read(file)),
  ]),
]
const style = await resolveConfig(join(root, 'libs/stages/all.ts'))
const formatted = async (file, text) => {
  const { ignored } = await getFileInfo(join(root, file), { ignorePath: join(root, '.prettierignore') })
  return ignored ? text : format(text, { ...style, filepath: file })
}

for (const [file, text] of files) {
  const path = join(root, file)
  const isNew = !existsSync(path)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, await formatted(file, text))
  console.log(`${isNew ? 'wrote' : 'changed'} ${file}`)
}

console.log(`
The stage compiles and starts, but no run opens its task yet. Now write:
  libs/stages/${stage}/${task}.ts: the work of '${task}'
  libs/flow/schema/task-table.ts: the fields of the task, and its outcomes
  libs/flow/machine: the transition that opens '${task}', and the effect of its outcomes (advance.ts)
Then write the generated files again:
  node tools/draw-flow/main.mjs
  npm test -- deploy/kubernetes -u`)
