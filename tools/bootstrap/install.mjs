import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isNeedless } from '../build/needless-files.mjs'
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

/** Returns which packages of the current lock file are installed: `product`, `all`, or undefined for none. */
const installed = () => {
  const [lock, scope] = readOr(stamp, '').split(' ')
  return lock === lockHash() ? scope : undefined
}

/** A product command does not need the developer tools. */
export const isInstalled = ({ product = false }) => installed() === 'all' || (product && installed() === 'product')

/** Packages that only development needs, although a package of the product names them as a peer. */
const typesOnly = ['typescript']

const removeNeedlessFiles = (product) => {
  const packages = inRoot('node_modules')
  for (const path of readdirSync(packages, { recursive: true }))
    if (isNeedless(path)) rmSync(join(packages, path), { recursive: true, force: true })
  for (const name of product ? typesOnly : []) rmSync(join(packages, name), { recursive: true, force: true })
}

export const ensureInstalled = async ({ product = false }) => {
  if (isInstalled({ product })) return
  if (installed() === 'product')
    await step('Installing the developer tools (npm install, once)', 'The developer tools are installed', () =>
      npmAdd(root, 'the developer tools'),
    )
  else
    await step('Installing dependencies (npm ci, once)', 'Dependencies are installed', () =>
      npmCi(root, 'the dependencies', { product }),
    )
  removeNeedlessFiles(product)
  writeFileSync(stamp, `${lockHash()} ${product ? 'product' : 'all'}`)
}
