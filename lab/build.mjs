import { join } from 'node:path'
import { evaluate } from '../libs/commands/rows/eval.mjs'
import { bundle, root } from '../tools/build/bundle.mjs'

const programs = ['bench', 'fire'].map((name) => [`${name}/main`, join(root, 'lab', name, 'main.ts')])
const measurements = Object.keys(evaluate.actions).map((name) => [
  `eval/${name}`,
  join(root, 'lab', 'eval', `${name}.ts`),
])

await bundle(Object.fromEntries([...programs, ...measurements]), 'lab')
