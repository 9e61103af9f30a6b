import { execFile, spawn } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../../..')

/** Concurrent spec files wait for each other. */
export const buildTerminal = (): Promise<unknown> =>
  promisify(execFile)(process.execPath, [join(root, 'tools/bootstrap/main.mjs'), 'build'])

export const askInTerminal = async (
  words: string[],
  lines: string[],
  env: Record<string, string>,
): Promise<{ code: number | null; output: string }> => {
  const child = spawn(process.execPath, [join(root, 'dist/cli/main.mjs'), 'ask', ...words], {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: 'pipe',
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  child.stdin.end(lines.map((line) => `${line}\n`).join(''))
  return { code: await ended, output }
}
