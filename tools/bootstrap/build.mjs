import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Fault } from './fault.mjs'
import { inRoot, root } from './paths.mjs'
import { step } from './progress.mjs'
import { quietly } from './run.mjs'

const sources = [
  'apps',
  'libs',
  'docs/run/troubleshooting.md',
  'tools/build',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.base.json',
]
const skipped = new Set(['node_modules', 'dist', 'peers'])
const stamp = inRoot('dist', '.stamp')

const files = (path) => {
  const info = statSync(join(root, path), { throwIfNoEntry: false })
  if (!info) return []
  if (!info.isDirectory()) return [`${path} ${info.size} ${info.mtimeMs}`]
  return readdirSync(join(root, path))
    .filter((entry) => !skipped.has(entry) && !/\.spec\.ts$|\.md$/.test(entry))
    .flatMap((entry) => files(join(path, entry)))
}
const sourceHash = () => createHash('sha256').update(sources.flatMap(files).sort().join('\n')).digest('hex')

export const isBuilt = () => {
  try {
    return readFileSync(stamp, 'utf8') === sourceHash()
  } catch {
    return false
  }
}

export const ensureBuilt = async (node = process.execPath) => {
  const hash = sourceHash()
  if (isBuilt()) return
  await step('Building', 'Built', async () => {
    const { code, output } = await quietly(node, [inRoot('tools', 'build', 'main.mjs')])
    if (code !== 0) throw new Fault(`The build failed:\n${output.trim()}`)
  })
  writeFileSync(stamp, hash)
}
