import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')
const commitsBack = 20

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()

const earlierCommit = (): string | null => {
  try {
    const found = git('rev-list', '--first-parent', '--abbrev-commit', `--skip=${commitsBack}`, '-n', '1', 'HEAD')
    return found || null
  } catch {
    return null
  }
}

export type PreviousBuild = { name: string; dist: string; remove(): Promise<void> }

const lockOf = (folder: string): Promise<string> => readFile(join(folder, 'package-lock.json'), 'utf8')

const addPackages = async (folder: string): Promise<void> => {
  if ((await lockOf(folder)) === (await lockOf(root)))
    return symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'pipe' })
}

/** `PREVIOUS` selects the commit. The default is the commit `commitsBack` commits ago. */
export const buildPrevious = async (): Promise<PreviousBuild> => {
  const named = process.env['PREVIOUS']
  const commit = named ? git('rev-parse', '--short', `${named}^{commit}`) : earlierCommit()
  if (commit === null)
    return { name: 'this one, as no history is here', dist: join(root, 'dist'), remove: () => Promise.resolve() }
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-previous-'))
  execFileSync('sh', ['-ec', 'git archive "$1" | tar -x -C "$2"', 'sh', commit, folder], { cwd: root, stdio: 'pipe' })
  await addPackages(folder)
  // Earlier commits build the lab together with the product.
  for (const script of ['tools/build/main.mjs', 'lab/build.mjs'].filter((file) => existsSync(join(folder, file))))
    execFileSync(process.execPath, [join(folder, script)], { cwd: folder, stdio: 'pipe' })
  return { name: commit, dist: join(folder, 'dist'), remove: () => rm(folder, { recursive: true, force: true }) }
}
