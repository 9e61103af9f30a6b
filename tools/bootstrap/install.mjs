import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { npmCi } from './npm.mjs'
import { inRoot, root } from './paths.mjs'
import { step } from './progress.mjs'

const stamp = inRoot('node_modules', '.plumbline-lock')
const readOr = (file, other) => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return other
  }
}
const lockHash = () =>
  createHash('sha256')
    .update(readFileSync(inRoot('package-lock.json')))
    .update(process.platform + process.arch)
    .digest('hex')

export const isInstalled = () => readOr(stamp, '') === lockHash()

/** `npm ci`, only when the lock is not the one that was installed. */
export const ensureInstalled = async () => {
  if (isInstalled()) return
  await step('Installing dependencies (npm ci, once)', 'Dependencies are installed', () =>
    npmCi(root, 'the dependencies'),
  )
  writeFileSync(stamp, lockHash())
}
