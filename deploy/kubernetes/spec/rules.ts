import type { Manifest } from './render-chart'

type Container = {
  name: string
  image: string
  env?: { name: string; value?: string; valueFrom?: unknown }[]
  envFrom?: { secretRef?: unknown }[]
  resources?: { requests?: Record<string, string>; limits?: Record<string, string> }
  securityContext?: {
    allowPrivilegeEscalation?: boolean
    readOnlyRootFilesystem?: boolean
    capabilities?: { drop?: string[] }
  }
  volumeMounts?: { name: string; mountPath: string }[]
} & Record<'startupProbe' | 'livenessProbe' | 'readinessProbe', { httpGet?: { path: string } } | undefined>
type Pod = {
  automountServiceAccountToken?: boolean
  terminationGracePeriodSeconds?: number
  securityContext?: { runAsNonRoot?: boolean; runAsUser?: number; seccompProfile?: { type: string } }
  topologySpreadConstraints?: { topologyKey: string }[]
  containers: Container[]
  volumes?: { name: string; persistentVolumeClaim?: unknown; projected?: unknown; secret?: unknown }[]
}
type Workload = Manifest & {
  spec: {
    template: { metadata: { labels: Record<string, string> }; spec: Pod }
    selector: { matchLabels: Record<string, string> }
  }
}
type Selecting = Manifest & {
  spec: { selector?: { matchLabels?: Record<string, string> }; podSelector?: { matchLabels?: Record<string, string> } }
}

const component = 'app.kubernetes.io/component'
const isApp = ({ metadata }: Manifest): boolean => !['redis', 'qdrant'].includes(metadata.labels?.[component] ?? '')
const envOf = ({ env = [] }: Container, name: string): string | undefined => env.find((one) => one.name === name)?.value

const packageOf = (apiVersion: string): string => {
  if (apiVersion.startsWith('keda.sh')) return '@kubernetes-models/keda'
  return apiVersion.startsWith('monitoring.coreos.com') ? '@kubernetes-models/prometheus-operator' : 'kubernetes-models'
}

/** Checks a manifest against the schema of its kind. */
const schemaFault = async (manifest: Manifest): Promise<string[]> => {
  const { apiVersion, kind } = manifest
  const models = (await import(`${packageOf(apiVersion)}/${apiVersion}`)) as Record<
    string,
    new (of: Manifest) => { validate(): void }
  >
  const Model = models[kind]
  if (!Model) return [`${apiVersion} has no ${kind}`]
  try {
    new Model(manifest).validate()
    return []
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}

/**
 * Checks that a pod meets the restricted level of the Pod Security Standards, and that its user is given as a number.
 */
const securityFaults = ({ automountServiceAccountToken, securityContext, containers }: Pod): string[] => [
  ...(automountServiceAccountToken === false ? [] : ['mounts a token of a service account']),
  ...(securityContext?.runAsNonRoot && (securityContext.runAsUser ?? 0) > 0 ? [] : ['may run as root']),
  ...(securityContext?.seccompProfile?.type === 'RuntimeDefault' ? [] : ['has no seccomp profile']),
  ...containers.flatMap(({ name, securityContext: own }) => [
    ...(own?.allowPrivilegeEscalation === false ? [] : [`${name} may gain privileges`]),
    ...(own?.readOnlyRootFilesystem ? [] : [`${name} may write to its image`]),
    ...(own?.capabilities?.drop?.includes('ALL') ? [] : [`${name} has capabilities`]),
  ]),
]

const containerFaults = (container: Container): string[] => {
  const { name, resources, image } = container
  const probes = (['startupProbe', 'livenessProbe', 'readinessProbe'] as const).filter((probe) => !container[probe])
  return [
    ...probes.map((probe) => `${name} has no ${probe}`),
    ...(resources?.requests?.cpu && resources.requests.memory && resources.limits?.memory
      ? []
      : [`${name} has no resource requests or no memory limit`]),
    ...(/:(latest)?$|^[^:]+$/.test(image) ? [`${name} runs an image without a version`] : []),
    ...((container.env ?? []).some(({ valueFrom }) => valueFrom) ||
    (container.envFrom ?? []).some(({ secretRef }) => secretRef)
      ? [`${name} has a secret in its environment`]
      : []),
  ]
}

/**
 * Checks the pod of an app: its probes, its time to finish a task, its spread over nodes, and that its secrets are
 * files.
 */
const appFaults = (pod: Pod): string[] => {
  const [container] = pod.containers
  if (!container) return ['has no container']
  const { livenessProbe, readinessProbe, volumeMounts = [] } = container
  const taskMs = Number((container.env ?? []).find(({ name }) => name.endsWith('_TIMEOUT_MS'))?.value ?? 0)
  const grace = pod.terminationGracePeriodSeconds ?? 30
  return [
    ...(livenessProbe?.httpGet?.path === '/livez' && readinessProbe?.httpGet?.path === '/readyz'
      ? []
      : ['has no probes for /livez and /readyz']),
    ...(grace >= taskMs / 1_000 + 30 ? [] : [`has only ${grace} s to stop, but a task may take ${taskMs} ms`]),
    ...(Number(envOf(container, 'DRAIN_MS') ?? taskMs) >= taskMs
      ? []
      : ['returns tasks to the queue before their time limit']),
    ...(pod.topologySpreadConstraints?.some(({ topologyKey }) => topologyKey.endsWith('zone'))
      ? []
      : ['is not spread over zones']),
    ...(volumeMounts.some(({ mountPath }) => mountPath === '/tmp') ? [] : ['has no writable folder /tmp']),
    ...((container.env ?? []).some(({ name, value }) => /_(KEY|KEYS|SECRET|TOKEN|PASSWORD)$/.test(name) && value)
      ? ['has a secret in its environment']
      : []),
  ]
}

const covers = (labels: Record<string, string>, selector: Record<string, string> = {}): boolean =>
  Object.keys(selector).length > 0 && Object.entries(selector).every(([name, value]) => labels[name] === value)

const workloadFaults = (workload: Workload, all: Manifest[]): string[] => {
  const { template, selector } = workload.spec
  const { labels } = template.metadata
  const of = (kind: string) => all.filter((one) => one.kind === kind) as Selecting[]
  const policed = of('NetworkPolicy')
  return [
    ...(covers(labels, selector.matchLabels) ? [] : ['does not select its own pods']),
    ...securityFaults(template.spec),
    ...template.spec.containers.flatMap(containerFaults),
    ...(isApp(workload) ? appFaults(template.spec) : []),
    ...(isApp(workload) && !of('PodDisruptionBudget').some(({ spec }) => covers(labels, spec.selector?.matchLabels))
      ? ['has no disruption budget']
      : []),
    ...(policed.length > 0 && !policed.some(({ spec }) => covers(labels, spec.podSelector?.matchLabels))
      ? ['has no network policy']
      : []),
  ]
}

const claimFaults = (manifest: Manifest): string[] =>
  JSON.stringify(manifest).includes('ReadWriteMany') ? ['asks for a disk that many nodes write to'] : []

/**
 * Checks manifests that are installed together. They must match the schemas of Kubernetes and the rules of this
 * project.
 */
export const faultsOf = async (manifests: Manifest[]): Promise<string[]> => {
  const found = await Promise.all(
    manifests.map(async (manifest) => {
      const isWorkload = manifest.kind === 'Deployment' || manifest.kind === 'StatefulSet'
      const faults = [
        ...(await schemaFault(manifest)),
        ...claimFaults(manifest),
        ...(isWorkload ? workloadFaults(manifest as Workload, manifests) : []),
      ]
      return faults.map((fault) => `${manifest.kind}/${manifest.metadata.name}: ${fault}`)
    }),
  )
  const names = manifests.map(({ kind, metadata }) => `${kind}/${metadata.name}`)
  const twice = names.filter((name, at) => names.indexOf(name) !== at)
  return [...found.flat(), ...twice.map((name) => `${name} exists twice`)]
}
