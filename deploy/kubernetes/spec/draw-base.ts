import { stringify } from 'yaml'
import { renderTemplates, type Manifest } from './render-chart'

const head = '# Generated from the chart by `npm test -- deploy/kubernetes -u`. '
const yamlHead = `${head}To change it, change the chart, or write a patch in an overlay.\n`
const envHead = `${head}Overlays merge their own settings into it.\n`

type Annotated = { metadata: { annotations?: Record<string, string> } }
type WithPods = { spec?: { template?: Annotated } }

/**
 * Changes a manifest of the chart for Kustomize. Pods need no annotation with a hash of the settings, because Kustomize
 * adds this hash to the name of the ConfigMap.
 */
const forKustomize = (manifest: Manifest): Manifest => {
  const { labels } = manifest.metadata
  if (labels?.['app.kubernetes.io/managed-by']) labels['app.kubernetes.io/managed-by'] = 'kustomize'
  const pod = (manifest as WithPods).spec?.template
  if (pod) delete pod.metadata.annotations
  return manifest
}

const textOf = (manifests: Manifest[]): string =>
  yamlHead +
  manifests
    .map((manifest) => stringify(forKustomize(manifest), { lineWidth: 0, aliasDuplicateObjects: false }))
    .join('---\n')

const isSettings = ({ kind }: Manifest): boolean => kind === 'ConfigMap'
const envOf = (manifests: Manifest[]): string => {
  const { data = {} } = (manifests.find(isSettings) ?? {}) as { data?: Record<string, string> }
  const lines = Object.entries(data).map(([name, value]) => `${name}=${value}\n`)
  return envHead + lines.join('')
}

const optional = {
  ingress: { enabled: true, className: 'nginx', host: 'plumbline.example', tlsSecret: 'plumbline-tls' },
  autoscaling: { enabled: true },
  monitors: { enabled: true },
}

/**
 * Returns the files of the kustomize base by name. They are rendered from the chart, so that both ways to install
 * Plumbline give the same result.
 */
export const drawn = (): Map<string, string> => {
  const of = (template: string, values: object = {}): Manifest[] => renderTemplates(values, [template])
  const settings = of('settings.yaml')
  return new Map([
    ['base/settings.env', envOf(settings)],
    ['base/settings.yaml', textOf(settings.filter((one) => !isSettings(one)))],
    ['base/gateway.yaml', textOf(of('gateway.yaml'))],
    ['base/workers.yaml', textOf(of('workers.yaml'))],
    ['base/stores.yaml', textOf(of('stores.yaml'))],
    ['components/ingress/ingress.yaml', textOf(of('ingress.yaml', optional))],
    ['components/keda/scaling.yaml', textOf(of('autoscaling.yaml', optional))],
    ['components/monitors/monitors.yaml', textOf(of('monitors.yaml', optional))],
    ['components/network-policies/policies.yaml', textOf(of('network-policies.yaml'))],
  ])
}
