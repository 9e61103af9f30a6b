import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { binariesOf, isForeignBinary } from '../build/own-binaries.mjs'
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

/** Deletes binaries for other platforms, because some packages contain the binaries of all platforms. */
const removeForeignBinaries = () => {
  for (const [name, folder] of Object.entries(binariesOf)) {
    const all = inRoot('node_modules', name, folder)
    for (const path of existsSync(all) ? readdirSync(all, { recursive: true }) : [])
      if (isForeignBinary(join(all, path))) rmSync(join(all, path), { recursive: true, force: true })
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
  removeForeignBinaries()
  writeFileSync(stamp, `${lockHash()} ${product ? 'product' : 'all'}`)
}
