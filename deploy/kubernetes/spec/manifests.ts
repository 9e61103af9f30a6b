import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runTool } from './kubernetes-tools'
import { manifestsIn, renderFile, type Manifest } from './render-chart'

/** The folder that contains the chart, the overlays and the example values. */
export const kubernetes = join(import.meta.dirname, '..')
export const sets = readdirSync(join(kubernetes, 'sets'))
export const overlays = readdirSync(join(kubernetes, 'overlays'))

/** Returns a function that renders each name only once. Every call returns a new copy of the result. */
const once = (render: (name: string) => Manifest[]): ((name: string) => Manifest[]) => {
  const known = new Map<string, Manifest[]>()
  return (name) => {
    const found = known.get(name) ?? render(name)
    known.set(name, found)
    return structuredClone(found)
  }
}
const kustomized = (folder: string): Manifest[] => manifestsIn(runTool('kubectl', ['kustomize', folder]))

/** Builds an overlay as users do: it extends an overlay of this project with the given lines. */
export const withOwn = (overlay: string, lines: string[]): Manifest[] => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-overlay-'))
  try {
    for (const part of ['base', 'components', 'overlays'])
      cpSync(join(kubernetes, part), join(folder, part), { recursive: true })
    mkdirSync(join(folder, 'own'))
    const own = [`resources: [../overlays/${overlay}]`, 'namespace: plumbline', ...lines]
    writeFileSync(join(folder, 'own', 'kustomization.yaml'), own.join('\n'))
    return kustomized(join(folder, 'own'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export const ofSet = once((file) => renderFile(join(kubernetes, 'sets', file)))
export const ofOverlay = once((name) => kustomized(join(kubernetes, 'overlays', name)))

export const manifestsByName = (manifests: Manifest[]) =>
  Object.fromEntries(manifests.map((one) => [`${one.kind}/${one.metadata.name}`, one]))

type Pod = {
  affinity?: object
  priorityClassName?: string
  volumes?: { name: string; persistentVolumeClaim?: object; projected?: { sources: object[] } }[]
  containers: {
    image: string
    env?: { name: string; value?: string }[]
    envFrom?: { configMapRef: { name: string } }[]
    volumeMounts?: { name: string; mountPath: string }[]
  }[]
}
type Template = { metadata: { labels?: Record<string, string>; annotations?: Record<string, string> }; spec: Pod }
export const templateOf = (manifest: Manifest): Template =>
  (manifest as unknown as { spec: { template: Template } }).spec.template

/** Returns the pod of an app. Also returns the variables of its container that do not come from the ConfigMap. */
export const appIn = (manifests: Manifest[], app: string) => {
  const deployment = manifestsByName(manifests)[`Deployment/plumbline-${app}`]
  if (!deployment) throw new Error(`there is no Deployment of ${app}`)
  const template = templateOf(deployment)
  const { env = [] } = template.spec.containers[0] ?? {}
  return { template, pod: template.spec, env: Object.fromEntries(env.map(({ name, value = '' }) => [name, value])) }
}

/**
 * Returns the ConfigMap of the settings. Kustomize appends a hash to its name, so only the beginning of the name is
 * compared.
 */
export const settingsIn = (manifests: Manifest[]): { name: string; data: Record<string, string> } => {
  const found = manifests.find(
    ({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.startsWith('plumbline-settings'),
  )
  if (!found) throw new Error('there is no ConfigMap of the settings')
  return { name: found.metadata.name, data: (found as unknown as { data: Record<string, string> }).data }
}
