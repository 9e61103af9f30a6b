import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')
const spec = ['node_modules/vitest/vitest.mjs', 'run', 'apps/gateway/spec/description.int.spec.ts']
const env = { ...process.env, DESCRIBE: process.env.DESCRIBE ?? 'compatible' }
process.exitCode = spawnSync(process.execPath, spec, { cwd: root, env, stdio: 'inherit' }).status ?? 1
