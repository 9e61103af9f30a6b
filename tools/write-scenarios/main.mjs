import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')
// Run the specs one after another, because each of them replaces its own section of the same page.
const specs = ['node_modules/vitest/vitest.mjs', 'run', 'apps/e2e/source-systems', '--no-file-parallelism']
const env = { ...process.env, SCENARIOS: 'write' }
process.exitCode = spawnSync(process.execPath, specs, { cwd: root, env, stdio: 'inherit' }).status ?? 1
