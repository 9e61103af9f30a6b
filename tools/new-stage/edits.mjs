/** Describes a change: insert `text` before `anchor`, which must occur exactly `times` times. */
const before = (anchor, text, times = 1) => ({ anchor, text, times })

const camel = (name) => name.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase())
const key = (name) => (name.includes('-') ? `'${name}'` : name)

/** Returns the changes of existing files that a stage with one task needs. */
export const editsFor = (stage, task) => {
  const handler = `${key(task)}: async () => ({ outcome: 'done' }),\n`
  const answer = `    case '${task}':\n      return { outcome: 'done' }\n`
  return {
    'libs/contracts/ops.ts': [before(`, 'ingest'])`, `, '${stage}'`)],
    'libs/flow/schema/task-table.ts': [
      before(
        /^ {2}review: \{$/gm,
        `  ${key(task)}: {
    stage: '${stage}',
    task: task('${task}', {}),
    outcomes: { done: z.object({}) },
  },
`,
      ),
    ],
    'libs/flow/machine/advance.ts': [
      before(/^ {2}review: \{/gm, `  ${key(task)}: { report: (move) => move, giveUp: (move) => move },\n`),
    ],
    'libs/flow/machine/evidence.ts': [before("    case 'admit':", `    case '${task}':\n`)],
    'libs/stages/all.ts': [
      before(/^import .* from '\.\/router/gm, `import { ${camel(stage)}Stage } from './${stage}/${stage}.stage'\n`),
      before(/^\}$/gm, `  ${key(stage)}: ${camel(stage)}Stage,\n`),
    ],
    'apps/replay/replay.ts': [before("    case 'admit':", answer)],
    'apps/local/project.json': [before(`    "gateway-app"`, `    "${stage}-app",\n`)],
    'apps/e2e/project.json': [before(`    "gateway-app"`, `    "${stage}-app",\n`)],
    'docker-compose.yml': [
      before(
        /^ {2}ingestor:$/gm,
        `  ${stage}:
    <<: *worker
    build: { context: ., dockerfile: deploy/docker/Dockerfile, args: { APP: ${stage} } }
    environment: { <<: *environment }
`,
      ),
    ],
    'deploy/prometheus/prometheus.yml': [before(', ingestor]', `, ${stage}`)],
    'deploy/kubernetes/chart/values.yaml': [
      before(/^ {2}ingestor: \{ replicas/gm, `  ${stage}: { replicas: 1, concurrency: 16, timeoutSeconds: 30 }\n`),
    ],
    'deploy/kubernetes/chart/values.schema.json': [
      before(', "ingestor"]', `, "${stage}"`, 4),
      before(/^ {8}"ingestor": /gm, `        "${stage}": { "$ref": "#/definitions/worker" },\n`),
    ],
    'deploy/kubernetes/components/keda/kustomization.yaml': [before(',ingestor)', `,${stage}`)],
    'deploy/kubernetes/overlays/ha/kustomization.yaml': [before('|ingestor)', `|${stage}`)],
    'deploy/kubernetes/sets/upgrade-workers.yaml': [before(/,\s+ingestor: 0\.2\.0/g, `, ${stage}: 0.2.0`)],
    'lab/bench/ours.ts': [before(/^ {2}reply: /gm, `  ${handler}`)],
    'lab/fire/handlers.ts': [before(/^ {2}reply: /gm, `  ${handler}`)],
    'libs/hosting/spec/bench.ts': [before(/^ {2}reply: /gm, `  ${handler}`)],
    'libs/stages/policies.unit.spec.ts': [before(/^ {4}reply: reply\(/gm, `    ${handler}`)],
    'libs/flow/spec/random-runs.spec.ts': [before("    case 'admit':", answer)],
    'libs/adapters/redis/spec/one-run.ts': [before("    case 'admit':", answer)],
    'libs/gateway/present/hold.unit.spec.ts': [
      before("    case 'admit':", `    case '${task}':\n      return about('${task}', { outcome: 'done' })\n`),
    ],
    'tools/draw-flow/reports.ts': [
      before(/^ {2}reply: \(\) =>/gm, `  ${key(task)}: () => ({ done: { outcome: 'done' } }),\n`),
    ],
  }
}

/** Returns the new files of a stage with one task. `project`: the project.json of the planner. */
export const filesFor = (stage, task, project) => {
  const isWord = camel(task) === task
  return {
    [`libs/stages/${stage}/${task}.ts`]: `import type { StageHandler } from '@plumbline/worker'

export const ${camel(task)} = (): StageHandler<'${task}'> => async () => ({ outcome: 'done' })
`,
    [`libs/stages/${stage}/${stage}.stage.ts`]: `import { defineStage } from '@plumbline/hosting/define-stage'
import { z } from 'zod'
import { ${camel(task)} } from './${task}'

export const ${camel(stage)}Stage = defineStage({
  stage: '${stage}',
  env: z.object({}),
  handlers: () => ({ ${isWord ? task : `'${task}'`}: ${camel(task)}() }),
})
`,
    [`apps/${stage}/main.ts`]: `import { runStages } from '@plumbline/hosting/host-stages'
import { ${camel(stage)}Stage } from '@plumbline/stages/${stage}/${stage}.stage'

await runStages('${stage}', () => [${camel(stage)}Stage])
`,
    [`apps/${stage}/project.json`]: project.replaceAll('planner', stage),
  }
}
