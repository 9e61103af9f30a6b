import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')
const commitsBack = 20

const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

/** The version before this one: what `PREVIOUS` names, or the code as it stood some commits ago. */
const previousCommit = (): string => {
  const named = process.env['PREVIOUS']
  return named
    ? git('rev-parse', '--short', `${named}^{commit}`)
    : git('rev-list', '--first-parent', '--abbrev-commit', `--skip=${commitsBack}`, '-n', '1', 'HEAD')
}

/** Builds another version beside this one, with the packages of this one. */
export const buildPrevious = async (): Promise<{ commit: string; dist: string; remove(): Promise<void> }> => {
  const commit = previousCommit()
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-previous-'))
  const shell = (script: string): void =>
    void execFileSync('sh', ['-ec', script, 'sh', commit, folder], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  shell('git archive "$1" | tar -x -C "$2"')
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  execFileSync(process.execPath, [join(folder, 'tools/build/main.mjs')], { cwd: folder, stdio: 'pipe' })
  return {
    commit,
    dist: join(folder, 'dist'),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
