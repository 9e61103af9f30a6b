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

/** Returns which packages of the current lock file are installed: `product`, `all`, or undefined if there are none. */
const installed = () => {
  const [lock, scope] = readOr(stamp, '').split(' ')
  return lock === lockHash() ? scope : undefined
}

/** Returns whether enough packages are installed for a command. A product command does not need the developer tools. */
export const isInstalled = ({ product = false }) => installed() === 'all' || (product && installed() === 'product')

/** Packages that only development needs. They are removed, although they are peer dependencies of product packages. */
const typesOnly = ['typescript']

const removeNeedless = (folder) => {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (isNeedless(entry.isDirectory() ? `${path}/` : path)) rmSync(path, { recursive: true })
    else if (entry.isDirectory()) removeNeedless(path)
  }
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
  removeNeedless(inRoot('node_modules'))
  if (product) for (const name of typesOnly) rmSync(inRoot('node_modules', name), { recursive: true, force: true })
  writeFileSync(stamp, `${lockHash()} ${product ? 'product' : 'all'}`)
}
