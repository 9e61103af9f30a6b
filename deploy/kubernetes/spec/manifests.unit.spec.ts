import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { parseAllDocuments } from 'yaml'
import { describe, expect, it } from 'vitest'
import { ScaledQueue } from '@plumbline/contracts'
import { stages } from '@plumbline/flow'
import { DocumentsEnv } from '@plumbline/hosting/documents.env'
import { readEnv } from '@plumbline/platform'
import { webhooksAtOnce } from '@plumbline/webhooks/webhooks'
import { stageLimits } from '@plumbline/worker'
import { drawn } from './draw-base'
import { chart, defaults, laidOver, renderChart, valuesOf, type Manifest } from './render-chart'
import { faultsOf } from './rules'

const root = join(import.meta.dirname, '..', '..', '..')
const kubernetes = join(import.meta.dirname, '..')
const sets = readdirSync(join(kubernetes, 'sets'))
const overlays = readdirSync(join(kubernetes, 'overlays'))
const rendered = (values: Record<string, unknown>): Manifest[] => [...renderChart(values).values()].flat()
const ofSet = (file: string): Manifest[] => rendered(valuesOf(join(kubernetes, 'sets', file)))

const hasTool = (tool: string): boolean => spawnSync(tool, ['version', '--client']).error === undefined
const manifestsIn = (text: string): Manifest[] =>
  parseAllDocuments(text)
    .map((document) => document.toJS() as Manifest | null)
    .filter((one) => one !== null)
const named = (manifests: Manifest[]) =>
  Object.fromEntries(manifests.map((one) => [`${one.kind}/${one.metadata.name}`, one]))
const kustomized = (overlay: string): Manifest[] =>
  manifestsIn(execFileSync('kubectl', ['kustomize', join(kubernetes, 'overlays', overlay)], { encoding: 'utf8' }))

const valid = new Ajv({ allErrors: true, strict: false }).compile(
  JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8')) as object,
)
/** What helm would say of these values: of their shape first, then of what they mean together. */
const refused = (values: Record<string, unknown>): string => {
  if (!valid(laidOver(defaults(), values)))
    return (valid.errors ?? [])
      .map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`)
      .join('\n')
  try {
    rendered(values)
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

describe('the chart', () => {
  it.each(sets)('makes manifests of %s that Kubernetes takes and that keep every rule', async (file) => {
    expect(refused(valuesOf(join(kubernetes, 'sets', file)))).toBe('')
    const manifests = ofSet(file)
    expect(await faultsOf(manifests)).toEqual([])
    expect(manifests.filter(({ kind }) => kind === 'Deployment').length).toBe(stages.length + 2)
  })

  it('gives each worker the time and the tasks that its stage has, and the end of a pod half a minute more', () => {
    const { workers } = defaults() as { workers: Record<string, { concurrency: number; timeoutSeconds: number }> }
    for (const stage of stages)
      expect([stage, workers[stage]]).toMatchObject([
        stage,
        { concurrency: stageLimits[stage].concurrency, timeoutSeconds: stageLimits[stage].timeoutMs / 1_000 },
      ])
  })

  it.each(['metrics-api', 'prometheus'])(
    'scales every queue that the scaler tells of by %s, each pod by what it does at once',
    (by) => {
      const { workers } = defaults() as { workers: Record<string, { concurrency: number }> }
      const scaled = rendered({ autoscaling: { enabled: true, by, prometheusUrl: 'http://prometheus:9090' } })
      type Trigger = { useCachedMetrics: boolean; metadata: Record<string, string> }
      const targets = scaled
        .flatMap(({ kind, spec }) => (kind === 'ScaledObject' ? (spec as { triggers: Trigger[] }).triggers : []))
        .map(({ metadata: { url, valueLocation, targetValue, query, ignoreNullValues, threshold } }) =>
          by === 'prometheus'
            ? [/^max\(plumbline_scaler_jobs\{queue="(\w+)"\}\)$/.exec(query ?? '')?.[1], threshold, ignoreNullValues]
            : [/:3000\/v1\/scaler\/(\w+)$/.exec(url ?? '')?.[1], targetValue, valueLocation],
        )
      const sure = by === 'prometheus' ? 'false' : 'jobs'
      const atOnce = (queue: string): number | undefined =>
        queue === 'webhook' ? webhooksAtOnce : workers[queue === 'ingest' ? 'ingestor' : queue]?.concurrency
      expect(new Set(targets)).toEqual(new Set(ScaledQueue.options.map((queue) => [queue, `${atOnce(queue)}`, sure])))
    },
  )

  it('lets KEDA reach a gateway that not everybody may reach', () => {
    const gateway = ofSet('autoscaled.yaml').find(
      ({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name.endsWith('-gateway'),
    )
    expect(JSON.stringify(gateway)).toContain('{"kubernetes.io/metadata.name":"keda"}')
  })

  const wrong: [string, Record<string, unknown>, RegExp][] = [
    ['a word for a number', { gateway: { replicas: 'two' } }, /\/gateway\/replicas must be integer/],
    ['no gateway', { gateway: { replicas: 0 } }, /\/gateway\/replicas must be >= 1/],
    ['a name that is none', { gatway: { replicas: 2 } }, /additional properties.*gatway/],
    [
      'a stage that is none',
      { workers: { writer: { replicas: 1, concurrency: 1, timeoutSeconds: 1 } } },
      /workers.*writer/,
    ],
    ['a stage less', { workers: { grader: null } }, /\/workers must have required property 'grader'/],
    ['no tasks at once', { workers: { grader: { concurrency: 0 } } }, /\/workers\/grader\/concurrency must be >= 1/],
    ['milliseconds for seconds', { workers: { grader: { timeoutSeconds: 30_000 } } }, /timeoutSeconds must be <= 3600/],
    ['memory without a unit that is one', { redis: { storage: '8 GB' } }, /\/redis\/storage must match pattern/],
    ['no limit of memory', { workerResources: { limits: { memory: null } } }, /\/workerResources\/limits.*'memory'/],
    ['a key in a setting', { settings: { OPENAI_API_KEY: 'sk-1' } }, /\/settings.*OPENAI_API_KEY/],
    [
      'a password in an address',
      { redis: { bundled: false, url: 'redis://me:secret@redis:6379' } },
      /\/redis\/url must match/,
    ],
    ['no Redis', { redis: { bundled: false } }, /name another Redis with redis\.url, or as the secret REDIS_URL/],
    ['no Qdrant', { qdrant: { bundled: false } }, /name another Qdrant with qdrant\.url/],
    ['a bucket without a name', { documents: { store: 's3' } }, /name the bucket with documents\.s3\.bucket/],
    ['a store that is none', { documents: { store: 'nfs' } }, /\/documents\/store.*"volume","s3"/],
    ['an ingress without a host', { ingress: { enabled: true } }, /\/ingress\/host/],
    ['a digest that is none', { image: { digests: { gateway: 'latest' } } }, /\/image\/digests\/gateway must match/],
    ['the tag latest', { image: { tag: 'latest' } }, /\/image\/tag must NOT be valid/],
    ['less at most than at least', { autoscaling: { enabled: true, min: 5, max: 2 } }, /min 5 is more than max 2/],
    [
      'Prometheus without an address',
      { autoscaling: { enabled: true, by: 'prometheus' } },
      /\/autoscaling\/prometheusUrl/,
    ],
    [
      'a network that is none',
      { networkPolicies: { egressTo: [{ cidr: 'anywhere', port: 80 }] } },
      /egressTo\/0\/cidr must match/,
    ],
    ['keys for nobody', { secrets: { API_KEYS: null } }, /\/secrets must have required property 'API_KEYS'/],
  ]
  it.each(wrong)('refuses %s in words', (_, values, words) => {
    expect(refused(values)).toMatch(words)
  })

  it.each(hasTool('helm') ? sets : [])('is rendered by helm as here, with %s', (file) => {
    const args = ['template', 'plumbline', chart, '-n', 'plumbline', '-f', join(kubernetes, 'sets', file)]
    const theirs = manifestsIn(execFileSync('helm', args, { encoding: 'utf8' }))
    expect(named(theirs)).toEqual(named(ofSet(file)))
  })
})

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
    ['a probe of something else', `${container}/livenessProbe/httpGet/path`, '/', /alive and ready/],
    ['no requests', `${container}/resources/requests/cpu`, undefined, /asks for nothing/],
    ['any memory', `${container}/resources/limits/memory`, undefined, /takes any memory/],
    ['any image', `${container}/image`, 'plumbline-grader', /without a version/],
    ['a secret as a variable', `${container}/env/0/valueFrom`, {}, /secret in its environment/],
    ['too little time to end', `${pod}/terminationGracePeriodSeconds`, 30, /has 30 s to end/],
    ['a drain that is too short', `${container}/env/1`, { name: 'DRAIN_MS', value: '1' }, /hands back/],
    ['one zone', `${pod}/topologySpreadConstraints`, [], /not spread over zones/],
    ['no folder to write to', `${container}/volumeMounts`, [], /nowhere to write/],
  ]
  it.each(broken)('find %s', async (_, path, value, fault) => {
    const manifests = structuredClone(rendered({}))
    const steps = path.split('/')
    const last = steps.pop() ?? ''
    let at: unknown = manifests.find((one) => one.kind === 'Deployment' && one.metadata.name === 'plumbline-grader')
    for (const step of steps) at = (at as Record<string, unknown>)[step]
    ;(at as Record<string, unknown>)[last] = value
    expect((await faultsOf(manifests)).join('\n')).toMatch(fault)
  })

  it.each(['PodDisruptionBudget', 'NetworkPolicy'])('find a lack of a %s', async (kind) => {
    const manifests = rendered({}).filter((one) => one.kind !== kind || one.metadata.name !== 'plumbline-grader')
    expect((await faultsOf(manifests)).join('\n')).toMatch(
      /plumbline-grader: has no (disruption budget|network policy)/,
    )
  })

  it('find a disk for many nodes', async () => {
    const manifests = structuredClone(rendered({}))
    const claim = manifests.find(({ kind }) => kind === 'PersistentVolumeClaim') as unknown as {
      spec: { accessModes: string[] }
    }
    claim.spec.accessModes = ['ReadWriteMany']
    expect((await faultsOf(manifests)).join('\n')).toMatch(/many nodes write to/)
  })
})

describe('the base of kustomize', () => {
  it.each([...drawn()])('has %s as the chart makes it', async (file, text) => {
    await expect(text).toMatchFileSnapshot(join(kubernetes, file))
  })

  const byKubectl = hasTool('kubectl') ? overlays : []
  it.each(byKubectl)('is made into %s, which Kubernetes takes and which keeps every rule', async (overlay) => {
    const manifests = kustomized(overlay)
    expect(await faultsOf(manifests)).toEqual([])
    expect(manifests.filter(({ kind }) => kind === 'Deployment').length).toBe(stages.length + 2)
    expect(
      new Set(
        manifests
          .filter(({ kind }) => kind !== 'Namespace')
          .map(({ metadata }) => (metadata as { namespace?: string }).namespace),
      ),
    ).toEqual(new Set(['plumbline']))
  })
})

describe('documents in a bucket', () => {
  type Pod = {
    volumes?: { persistentVolumeClaim?: object }[]
    containers: { env?: { name: string; value?: string }[] }[]
  }
  const podOf = (manifest: Manifest): Pod =>
    (manifest as unknown as { spec: { template: { spec: Pod } } }).spec.template.spec
  const deployments = (manifests: Manifest[]): Manifest[] => manifests.filter(({ kind }) => kind === 'Deployment')
  /** What an app reads there of where documents stand, with words for the secrets that are mounted. */
  const documentsOf = (manifests: Manifest[], app: string) => {
    const { data } = named(manifests)['ConfigMap/plumbline-settings'] as unknown as { data: Record<string, string> }
    const { env = [] } = podOf(named(manifests)[`Deployment/plumbline-${app}`]!).containers[0]!
    const given = env.map(({ name, value = '' }) => [name.replace(/_FILE$/, ''), value] as const)
    return readEnv(DocumentsEnv, { ...data, ...Object.fromEntries(given) }).documents
  }
  const byKubectl = hasTool('kubectl') ? ['ha', 'cluster'] : []
  it.each([['bucket.yaml', ofSet] as const, ...byKubectl.map((overlay) => [overlay, kustomized] as const)])(
    'need no disk of any app, in %s, and gateway and ingestor read where they are',
    (from, make) => {
      const manifests = make(from)
      const disks = deployments(manifests).filter((one) =>
        podOf(one).volumes?.some(({ persistentVolumeClaim }) => persistentVolumeClaim),
      )
      expect(disks.map(({ metadata }) => metadata.name)).toEqual([])
      expect(named(manifests)).not.toHaveProperty('PersistentVolumeClaim/plumbline-documents')
      expect(JSON.stringify(manifests)).not.toContain('ReadWriteMany')
      for (const app of ['gateway', 'ingestor'])
        expect(documentsOf(manifests, app)).toMatchObject({
          store: 's3',
          bucket: 'plumbline-documents',
          credentials: { secretAccessKey: '/run/secrets/plumbline/S3_SECRET_ACCESS_KEY' },
        })
    },
  )

  it('are not looked for where the disk of the base is', () => {
    expect(documentsOf(rendered({}), 'gateway')).toEqual({ store: 'folder' })
  })
})

describe('every manifest', () => {
  it('has no field that its kind does not know', () => {
    const all = [...sets.flatMap(ofSet), ...(hasTool('kubectl') ? overlays.flatMap(kustomized) : [])]
    const folder = mkdtempSync(join(tmpdir(), 'plumbline-manifests-'))
    try {
      symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
      const kinds = new Map(all.map(({ apiVersion, kind }) => [`${apiVersion}/${kind}`, { apiVersion, kind }]))
      const imports = [...kinds.values()].map(({ apiVersion, kind }) => {
        const from = apiVersion.startsWith('keda.sh')
          ? '@kubernetes-models/keda'
          : apiVersion.startsWith('monitoring.coreos.com')
            ? '@kubernetes-models/prometheus-operator'
            : 'kubernetes-models'
        return `import type { I${kind} } from '${from}/${apiVersion}'`
      })
      const texts = [
        ...new Set(all.map((manifest) => `void (${JSON.stringify(manifest)} satisfies I${manifest.kind})`)),
      ]
      writeFileSync(join(folder, 'all.ts'), [...imports, ...texts].join('\n'))
      const { stdout } = spawnSync(
        process.execPath,
        [
          join(root, 'node_modules/typescript-native/bin/tsc'),
          '--ignoreConfig',
          '--noEmit',
          '--strict',
          '--skipLibCheck',
          '--types',
          '',
          '--module',
          'nodenext',
          join(folder, 'all.ts'),
        ],
        { encoding: 'utf8' },
      )
      expect(stdout).toBe('')
    } finally {
      rmSync(folder, { recursive: true })
    }
  }, 60_000)
})
