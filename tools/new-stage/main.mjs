import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')
const [stage = '', task = '', ...rest] = process.argv.slice(2)
const word = /^[a-z]+(-[a-z]+)*$/

const refuse = (why) => {
  console.error(
    `${why}\nUse: node tools/new-stage/main.mjs <stage> <task>, both in lower-case words joined by dashes, for example: translator translate`,
  )
  process.exit(2)
}
if (!word.test(stage) || !word.test(task)) refuse('A stage and its task need names.')
if (rest.length > 0) refuse(`${rest.join(' ')} is one word too many: it writes one stage with one task.`)
if (existsSync(join(root, 'libs/stages', stage)) || existsSync(join(root, 'apps', stage)))
  refuse(`A stage or an app is called ${stage} already.`)

const camel = (name) => name.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase())

const files = {
  [`libs/stages/${stage}/${task}.ts`]: `import type { StageHandler } from '@plumbline/worker'

export const ${camel(task)} =
  (): StageHandler<'${task}'> =>
  async ({ run }) => ({ outcome: 'done', text: run.question })
`,
  [`libs/stages/${stage}/${stage}.stage.ts`]: `import { defineStage } from '@plumbline/hosting/define-stage'
import { z } from 'zod'
import { ${camel(task)} } from './${task}'

export const ${camel(stage)}Stage = defineStage({
  stage: '${stage}',
  env: z.object({}),
  handlers: () => ({ ${camel(task) === task ? `${task}: ${task}()` : `'${task}': ${camel(task)}()`} }),
})
`,
  [`apps/${stage}/main.ts`]: `import { runStages } from '@plumbline/hosting/host-stages'
import { ${camel(stage)}Stage } from '@plumbline/stages/${stage}/${stage}.stage'

await runStages('${stage}', () => [${camel(stage)}Stage])
`,
  [`apps/${stage}/project.json`]: readFileSync(join(root, 'apps/planner/project.json'), 'utf8').replaceAll(
    'planner',
    stage,
  ),
}

for (const [file, text] of Object.entries(files)) {
  mkdirSync(join(root, file, '..'), { recursive: true })
  writeFileSync(join(root, file), text)
  console.log(`wrote ${file}`)
}

const all = join(root, 'libs/stages/all.ts')
const listed = readFileSync(all, 'utf8')
  .replace(/\n\n/, `\nimport { ${camel(stage)}Stage } from './${stage}/${stage}.stage'\n\n`)
  .replace(/,?\n\}\n$/, `,\n  ${camel(stage) === stage ? stage : `'${stage}'`}: ${camel(stage)}Stage,\n}\n`)
writeFileSync(all, listed)
console.log('listed it in libs/stages/all.ts')

console.log(`
Yours now; the compiler names each place until it is done:
  libs/flow/schema/task-table.ts a row '${task}' with stage '${stage}' and its outcomes, and '${stage}' among the stages
  libs/flow/schema/task.ts       what the task carries
  libs/flow/machine/             the transition that opens '${task}', and what its outcomes do
  libs/worker/handler.ts         the limits of '${stage}'
  docker-compose.yml             a service '${stage}'`)
