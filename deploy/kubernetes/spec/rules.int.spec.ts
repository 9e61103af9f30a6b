import { describe, expect, it } from 'vitest'
import { renderChart } from './render-chart'
import { faultsOf } from './rules'

const rendered = renderChart({})

describe('the rules', () => {
  const pod = 'spec/template/spec'
  const container = `${pod}/containers/0`
  const broken: [string, string, unknown, RegExp][] = [
    ['a field of another type', 'spec/replicas', 'two', /replicas must be integer/],
    ['a pod it does not select', 'spec/selector/matchLabels', { a: 'b' }, /does not select its own pods/],
    ['a token', `${pod}/automountServiceAccountToken`, undefined, /mounts a token/],
    ['root', `${pod}/securityContext/runAsUser`, undefined, /may run as root/],
    ['no seccomp profile', `${pod}/securityContext/seccompProfile`, undefined, /seccomp/],
    ['privileges', `${container}/securityContext/allowPrivilegeEscalation`, true, /may gain privileges/],
    ['a root that can be written', `${container}/securityContext/readOnlyRootFilesystem`, false, /write to its image/],
    ['capabilities', `${container}/securityContext/capabilities/drop`, [], /has capabilities/],
    ['no probe', `${container}/startupProbe`, undefined, /has no startupProbe/],
    ['a probe of something else', `${container}/livenessProbe/httpGet/path`, '/', /no probes for \/livez/],
    ['no requests', `${container}/resources/requests/cpu`, undefined, /no resource requests/],
    ['any memory', `${container}/resources/limits/memory`, undefined, /no memory limit/],
    ['any image', `${container}/image`, 'plumbline-grader', /without a version/],
    ['a secret as a variable', `${container}/env/0/valueFrom`, {}, /secret in its environment/],
    ['too little time to end', `${pod}/terminationGracePeriodSeconds`, 30, /has only 30 s to stop/],
    ['a drain that is too short', `${container}/env/1`, { name: 'DRAIN_MS', value: '1' }, /before their time limit/],
    ['one zone', `${pod}/topologySpreadConstraints`, [], /not spread over zones/],
    ['no folder to write to', `${container}/volumeMounts`, [], /no writable folder/],
  ]
  it.each(broken)('find %s', async (_, path, value, fault) => {
    const manifests = structuredClone(rendered)
    const steps = path.split('/')
    const last = steps.pop() ?? ''
    let at: unknown = manifests.find((one) => one.kind === 'Deployment' && one.metadata.name === 'plumbline-grader')
    for (const step of steps) at = (at as Record<string, unknown>)[step]
    ;(at as Record<string, unknown>)[last] = value
    expect((await faultsOf(manifests)).join('\n')).toMatch(fault)
  })

  it.each(['PodDisruptionBudget', 'NetworkPolicy'])('find a lack of a %s', async (kind) => {
    const manifests = rendered.filter((one) => one.kind !== kind || one.metadata.name !== 'plumbline-grader')
    expect((await faultsOf(manifests)).join('\n')).toMatch(
      /plumbline-grader: has no (disruption budget|network policy)/,
    )
  })

  it('find a disk for many nodes', async () => {
    const manifests = structuredClone(rendered)
    const claim = manifests.find(({ kind }) => kind === 'PersistentVolumeClaim') as unknown as {
      spec: { accessModes: string[] }
    }
    claim.spec.accessModes = ['ReadWriteMany']
    expect((await faultsOf(manifests)).join('\n')).toMatch(/many nodes write to/)
  })
})
