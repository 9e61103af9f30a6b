import { stringify } from 'yaml'
import { renderChart, type Manifest } from './render-chart'

const head =
  '# Made of the chart by `npm test -- deploy/kubernetes -u`. Change it there, or by a patch in an overlay.\n'

const textOf = (manifests: Manifest[]): string =>
  head + manifests.map((manifest) => stringify(manifest, { lineWidth: 0, aliasDuplicateObjects: false })).join('---\n')

/** What kustomize starts from, by its file: the chart's own manifests, so that the two ways to install cannot differ. */
export const drawn = (): Map<string, string> => {
  const release = { Name: 'plumbline', Namespace: 'plumbline', Service: 'kustomize' }
  const plain = renderChart({}, release)
  const whole = renderChart(
    {
      ingress: { enabled: true, host: 'plumbline.example', tlsSecret: 'plumbline-tls' },
      autoscaling: { enabled: true },
      monitors: { enabled: true },
    },
    release,
  )
  const of = (all: typeof plain, template: string): string => textOf(all.get(template) ?? [])
  return new Map([
    ['base/settings.yaml', of(plain, 'settings.yaml')],
    ['base/gateway.yaml', of(plain, 'gateway.yaml')],
    ['base/workers.yaml', of(plain, 'workers.yaml')],
    ['base/stores.yaml', of(plain, 'stores.yaml')],
    ['components/ingress/ingress.yaml', of(whole, 'ingress.yaml')],
    ['components/keda/scaling.yaml', of(whole, 'autoscaling.yaml')],
    ['components/monitors/monitors.yaml', of(whole, 'monitors.yaml')],
    ['components/network-policies/policies.yaml', of(plain, 'network-policies.yaml')],
  ])
}
