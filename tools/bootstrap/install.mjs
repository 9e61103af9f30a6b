import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { npmAdd, npmCi } from './npm.mjs'
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

/** Returns what is installed of the current lock: `product`, `all` or nothing. */
const installed = () => {
  const [lock, scope] = readOr(stamp, '').split(' ')
  return lock === lockHash() ? scope : undefined
}

/** A product command needs only the packages that build and run the product. */
export const isInstalled = ({ product = false }) => installed() === 'all' || (product && installed() === 'product')

/** Installs the missing packages. The packages of the product stay in place while the tools of developers are added. */
export const ensureInstalled = async ({ product = false }) => {
  if (isInstalled({ product })) return
  if (installed() === 'product')
    await step('Installing the tools of developers (npm install, once)', 'The tools of developers are installed', () =>
      npmAdd(root, 'the tools of developers'),
    )
  else
    await step('Installing dependencies (npm ci, once)', 'Dependencies are installed', () =>
      npmCi(root, 'the dependencies', { product }),
    )
  writeFileSync(stamp, `${lockHash()} ${product ? 'product' : 'all'}`)
}
