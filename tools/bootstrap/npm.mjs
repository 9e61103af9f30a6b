import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Fault } from './fault.mjs'
import { quietly } from './run.mjs'

const unreachable =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|network (?:timeout|request)|ENOTCACHED/
const full = /ENOSPC/
const forbidden = /EACCES|EPERM/

const matchingLines = (output, pattern, most) =>
  output
    .trim()
    .split('\n')
    .filter((line) => pattern.test(line) && !/A complete log of this run/.test(line))
    .slice(-most)

const explain = (output, what) => {
  const known = [
    [
      unreachable,
      `npm could not reach its registry to fetch ${what}. Connect to the network (or set npm's registry or proxy) and run the same command again.`,
    ],
    [full, `The disk is full: npm could not unpack ${what}. Free some space and run the same command again.`],
    [
      forbidden,
      `npm may not write to this folder. Become its owner (chown), or clone the repository into a folder that you may write to, and run the same command again.`,
    ],
  ].find(([pattern]) => pattern.test(output))
  if (known)
    return [known[1], ...matchingLines(output, /^npm error (?:code|errno|network request|request to)/, 4)].join('\n')
  return [
    `npm could not install ${what}. The end of its output:`,
    ...matchingLines(output, /^(?!npm (?:notice|warn|verbose|http|info|timing))/, 12),
  ].join('\n')
}

export const npmCommand = () => {
  const script = process.env.npm_execpath
  if (script && /\.c?js$/.test(script)) return { command: process.execPath, args: [script] }
  return { command: process.platform === 'win32' ? 'npm.cmd' : 'npm', args: [], shell: process.platform === 'win32' }
}

/** Runs npm. Omits the variables that `npm start` sets, because they name the folder of this project. */
const runNpm = async (words, cwd) => {
  const { command, args, shell } = npmCommand()
  // With `skip`, the install script of ONNX Runtime neither looks for a graphics card nor downloads more binaries.
  const env = { ...process.env, ONNXRUNTIME_NODE_INSTALL: 'skip' }
  for (const key of Object.keys(env))
    if (/^npm_(?:package|lifecycle|config_local_prefix|config_prefix|config_global)/.test(key)) delete env[key]
  const result = await quietly(command, [...args, ...words], { cwd, env, shell }).catch((error) => {
    if (error.code === 'ENOENT')
      throw new Fault(
        'npm is not on PATH. Install Node.js with npm (https://nodejs.org) and run the same command again.',
      )
    throw error
  })
  if (result.code >= 128) throw new Fault('Stopped.')
  return result
}

export const npmPack = async (spec, folder) => {
  const flags = ['pack', spec, '--pack-destination', folder, '--prefer-offline', '--fetch-retries=1']
  const { code, output } = await runNpm(flags, folder)
  const [archive] = readdirSync(folder).filter((file) => file.endsWith('.tgz'))
  if (code !== 0 || !archive) throw new Fault(explain(output, spec))
  return join(folder, archive)
}

const quiet = ['--include=optional', '--no-audit', '--no-fund', '--no-progress', '--fetch-retries=1']

export const npmCi = async (cwd, what, { product = false, isMissing = () => false } = {}) => {
  const result = await runNpm(['ci', product ? '--omit=dev' : '--include=dev', ...quiet, '--loglevel=verbose'], cwd)
  // npm exits with 0 even if it cannot download an optional package, so `isMissing` checks that the package exists.
  if (result.code === 0 && !isMissing()) return
  throw new Fault(explain(result.output, what))
}

/** Adds packages that an earlier `npm ci` did not install. Installed packages stay unchanged. */
export const npmAdd = async (cwd, what) => {
  const result = await runNpm(['install', '--no-save', '--include=dev', ...quiet], cwd)
  if (result.code !== 0) throw new Fault(explain(result.output, what))
}
