import { execFile, spawn } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../../..')

/** Builds the programs if necessary. Spec files that call this at the same time build one after another. */
export const buildTerminal = (): Promise<unknown> =>
  promisify(execFile)(process.execPath, [join(root, 'tools/bootstrap/main.mjs'), 'build'])

export const askInTerminal = async (
  words: string[],
  lines: string[],
  env: Record<string, string>,
): Promise<{ code: number | null; output: string; progress: string }> => {
  const child = spawn(process.execPath, [join(root, 'dist/cli/main.mjs'), 'ask', ...words], {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: 'pipe',
  })
  let [output, progress] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (progress += chunk))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  child.stdin.end(lines.map((line) => `${line}\n`).join(''))
  return { code: await ended, output, progress }
}
