import { describe, expect, it } from 'vitest'
import { ofOverlay, ofSet, overlays, sets } from './manifests'
import { renderChart, type Manifest } from './render-chart'

type Rule = { ports?: { port?: number | string }[]; to?: object[] }
const egressOf = (manifests: Manifest[]): Rule[] =>
  manifests.flatMap((manifest) =>
    manifest.kind === 'NetworkPolicy' ? ((manifest as unknown as { spec: { egress?: Rule[] } }).spec.egress ?? []) : [],
  )
const clusterDns = [
  {
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } },
    podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } },
  },
]

describe('port 53', () => {
  const all: [string, () => Manifest[]][] = [
    ...sets.map((file): [string, () => Manifest[]] => [file, () => ofSet(file)]),
    ...overlays.map((name): [string, () => Manifest[]] => [name, () => ofOverlay(name)]),
  ]
  it.each(all)('is open to the DNS of the cluster alone in %s', (name, make) => {
    const rules = egressOf(make())
    const names = rules.filter(({ ports = [] }) => ports.some(({ port }) => port === 53))
    expect(names.length > 0).toBe(!['without-policies.yaml'].includes(name))
    for (const { to } of names) expect(to).toEqual(clusterDns)
    for (const { ports } of rules) expect(ports?.length ?? 0, 'a rule for every port').toBeGreaterThan(0)
  })

  it('is open to other servers once they are named', () => {
    const dns = [{ ipBlock: { cidr: '169.254.20.10/32' } }]
    expect(egressOf(renderChart({ networkPolicies: { dns } }))).toContainEqual(expect.objectContaining({ to: dns }))
  })
})

const ingressOf = (manifests: Manifest[]) =>
  manifests.find(({ kind }) => kind === 'Ingress') as unknown as {
    metadata: { annotations: Record<string, string> }
    spec: { ingressClassName?: string }
  }
const limits = (size: string) => ({
  'nginx.ingress.kubernetes.io/proxy-body-size': size,
  'nginx.ingress.kubernetes.io/proxy-read-timeout': '3660',
  'nginx.ingress.kubernetes.io/proxy-send-timeout': '3660',
})
const withIngress = (more: object) => ({ ingress: { enabled: true, host: 'plumbline.example' }, ...more })

describe('the ingress', () => {
  it.each(['ha', 'cluster'])('lets large files and slow answers through in %s, and names its class', (overlay) => {
    const { metadata, spec } = ingressOf(ofOverlay(overlay))
    expect(metadata.annotations).toEqual(limits('110m'))
    expect(spec.ingressClassName).toBe('nginx')
  })

  it('takes bodies of MAX_FILE_MB and 10 MB more', () => {
    expect(ingressOf(renderChart(withIngress({}))).metadata.annotations).toEqual(limits('110m'))
    const larger = renderChart(withIngress({ settings: { MAX_FILE_MB: 500 } }))
    expect(ingressOf(larger).metadata.annotations).toEqual(limits('510m'))
  })

  it('keeps the limits that the values name', () => {
    const annotations = { 'nginx.ingress.kubernetes.io/proxy-body-size': '2g', 'cert-manager.io/issuer': 'own' }
    const own = renderChart({ ingress: { enabled: true, host: 'plumbline.example', annotations } })
    expect(ingressOf(own).metadata.annotations).toEqual({ ...limits('2g'), 'cert-manager.io/issuer': 'own' })
  })
})
