import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Fault } from './fault.mjs'
import { inRoot, root } from './paths.mjs'
import { step } from './progress.mjs'
import { quietly } from './run.mjs'

const product = {
  ...{ script: 'tools/build/main.mjs', stamp: '.stamp', doing: 'Building', done: 'Built' },
  sources: [
    'apps',
    'libs',
    'docs/run/troubleshooting.md',
    'tools/build',
    'package-lock.json',
    'tsconfig.json',
    'tsconfig.base.json',
  ],
}
const lab = {
  ...{ script: 'lab/build.mjs', stamp: '.lab-stamp', doing: 'Building the lab', done: 'The lab is built' },
  sources: [...product.sources, 'lab'],
}
const partsOf = (build) => (build === 'lab' ? [product, lab] : [product])
const skipped = new Set(['node_modules', 'dist', 'peers'])

const files = (path) => {
  const info = statSync(join(root, path), { throwIfNoEntry: false })
  if (!info) return []
  if (!info.isDirectory()) return [`${path} ${info.size} ${info.mtimeMs}`]
  return readdirSync(join(root, path))
    .filter((entry) => !skipped.has(entry) && !/\.spec\.ts$|\.md$/.test(entry))
    .flatMap((entry) => files(join(path, entry)))
}
const hashOf = ({ sources }) => createHash('sha256').update(sources.flatMap(files).sort().join('\n')).digest('hex')
const stampOf = ({ stamp }) => inRoot('dist', stamp)

const isPartBuilt = (part) => {
  try {
    return readFileSync(stampOf(part), 'utf8') === hashOf(part)
  } catch {
    return false
  }
}
export const isBuilt = (build) => partsOf(build).every(isPartBuilt)

const buildPart = async (part, node) => {
  const hash = hashOf(part)
  if (isPartBuilt(part)) return
  await step(part.doing, part.done, async () => {
    const { code, output } = await quietly(node, [inRoot(part.script)])
    if (code !== 0) throw new Fault(`The build failed:\n${output.trim()}`)
  })
  writeFileSync(stampOf(part), hash)
}

/** Builds the product and then the lab, because building the product deletes the build of the lab. */
export const ensureBuilt = async (build, node) => {
  for (const part of partsOf(build)) await buildPart(part, node)
}
