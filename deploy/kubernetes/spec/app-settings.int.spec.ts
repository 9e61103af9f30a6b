import { z } from 'zod'
import { describe, expect, it } from 'vitest'
import { stages } from '@plumbline/flow'
import { GatewayEnv } from '@plumbline/gateway/gateway.env'
import { DocumentsEnv } from '@plumbline/hosting/documents.env'
import { ModelsEnv } from '@plumbline/hosting/models/models.env'
import { IngestorEnv } from '@plumbline/ingestor/ingestor.env'
import { EntryEnv, readEnv, WorkerEnv } from '@plumbline/platform/env'
import { fieldsOf } from '@plumbline/platform/setting'
import { TracingEnv } from '@plumbline/platform/tracing/tracing.env'
import { allStages } from '@plumbline/stages/all'
import { FeaturesEnv } from '@plumbline/features/all/features.env'
import { SourcesEnv } from '@plumbline/features/sources/sources.env'
import { WebhooksEnv } from '@plumbline/features/webhooks/webhooks.env'
import { appIn, ofSet, sets, templateOf } from './manifests'
import { renderChart, type Manifest } from './render-chart'

const worker = [WorkerEnv, ModelsEnv, TracingEnv]
const schemas: Record<string, z.ZodType[]> = {
  gateway: [EntryEnv, ModelsEnv, GatewayEnv, FeaturesEnv, SourcesEnv, DocumentsEnv, TracingEnv],
  ...Object.fromEntries(stages.map((stage) => [stage, [...worker, allStages[stage].env]])),
  ingestor: [...worker, IngestorEnv, WebhooksEnv, SourcesEnv, FeaturesEnv],
}
const apps = Object.keys(schemas)

/** Every worker accepts QDRANT_API_KEY, and only the apps that search or index use it. */
const opensPassages = ['gateway', 'researcher', 'ingestor']
const readBy = (app: string): Set<string> => {
  const names = new Set((schemas[app] ?? []).flatMap(fieldsOf).map(([name]) => name))
  if (!opensPassages.includes(app)) names.delete('QDRANT_API_KEY')
  return names
}
/** A secret may be given as a file, so a file that is missing is a fault. */
const isSecretSetting = (name: string): boolean => {
  try {
    readEnv(z.object({}), { [`${name}_FILE`]: '/no/such/file' })
    return false
  } catch {
    return true
  }
}
const secrets = new Set(apps.flatMap((app) => [...readBy(app)].filter(isSecretSetting)))
const files = ['POLICIES_DIR', 'LOOKUPS_FILE', 'ROUTES_FILE', 'PRICES_FILE', 'SOURCE_CREDENTIALS_FILE']

describe('each app', () => {
  it.each(apps)('gets the secrets that it reads and no other: %s', (app) => {
    const named = [...secrets, 'STOCK_TOKEN'].map((name) => [name, { name: 'plumbline', key: name }])
    const { env, pod } = appIn(renderChart({ secrets: Object.fromEntries(named) as object }), app)
    const expected = [...secrets].filter((name) => readBy(app).has(name))
    // Lookups name secrets of their own, as $STOCK_TOKEN.
    if (app === 'researcher') expected.push('STOCK_TOKEN')
    const given = Object.keys(env).filter((name) => name.endsWith('_FILE'))
    expect(given.sort()).toEqual(expected.map((name) => `${name}_FILE`).sort())
    const sources = pod.volumes?.find(({ name }) => name === 'secrets')?.projected?.sources ?? []
    expect(sources.length).toBe(expected.length)
    for (const name of expected) expect(JSON.stringify(sources)).toContain(`"path":"${name}"`)
  })

  it.each(apps)('gets the files that it reads and no other: %s', (app) => {
    const { env, pod } = appIn(ofSet('own-files.yaml'), app)
    const expected = files.filter((name) => readBy(app).has(name))
    expect(files.filter((name) => name in env)).toEqual(expected)
    for (const name of expected) {
      const mount = pod.containers[0]?.volumeMounts?.find(({ mountPath }) => mountPath.endsWith(`/${name}`))
      expect(env[name]?.startsWith(mount?.mountPath ?? 'nowhere'), name).toBe(true)
      expect(pod.volumes?.map(({ name }) => name)).toContain(mount?.name)
    }
  })
})

const workloads = (manifests: Manifest[]): Manifest[] =>
  manifests.filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet')

describe('values for every pod', () => {
  const rendered = (): Manifest[] => ofSet('all-values.yaml')

  it('reach apps and stores alike', () => {
    const manifests = rendered()
    expect(workloads(manifests).length).toBe(apps.length + 2)
    for (const manifest of workloads(manifests)) {
      const { metadata, spec } = templateOf(manifest)
      expect(metadata.labels).toMatchObject({ team: 'knowledge' })
      expect(metadata.annotations).toMatchObject({ 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'true' })
      expect(spec.priorityClassName).toBe('services')
      expect(spec.affinity).toHaveProperty('nodeAffinity')
    }
  })

  it('keep the gateway beside the disk of the documents', () => {
    const manifests = rendered()
    const { affinity } = appIn(manifests, 'gateway').pod
    expect(JSON.stringify(affinity)).toContain('"plumbline/documents":"shared"')
    expect(JSON.stringify(affinity)).toContain('"app":"storage"')
    expect(JSON.stringify(appIn(manifests, 'grader').pod.affinity)).not.toContain('plumbline/documents')
  })

  it.each(apps)('bring variables, volumes and mounts into %s', (app) => {
    const { env, pod } = appIn(rendered(), app)
    expect(env).toMatchObject({ HTTPS_PROXY: 'http://proxy.example:3128', NODE_EXTRA_CA_CERTS: '/run/ca/ca.crt' })
    expect(pod.volumes?.map(({ name }) => name)).toEqual(expect.arrayContaining(['ca', 'shared']))
    expect(pod.containers[0]?.volumeMounts).toContainEqual({ name: 'ca', mountPath: '/run/ca', readOnly: true })
    expect(pod.containers[0]?.image).toBe(`registry.example/plumbline-${app}:${app === 'gateway' ? '0.1.1' : '0.1.0'}`)
  })

  it('annotate the service account, and shape the service of the gateway', () => {
    const manifests = rendered()
    const found = (kind: string, name: string): Manifest | undefined =>
      manifests.find((one) => one.kind === kind && one.metadata.name === name)
    expect(found('ServiceAccount', 'plumbline')?.metadata).toHaveProperty(['annotations', 'eks.amazonaws.com/role-arn'])
    expect(found('Service', 'plumbline-gateway')).toMatchObject({
      metadata: { annotations: { 'service.beta.kubernetes.io/aws-load-balancer-scheme': 'internal' } },
      spec: { type: 'LoadBalancer', ports: [{ port: 80, targetPort: 'http' }], externalTrafficPolicy: 'Local' },
    })
  })

  it('leave KEDA the port at which the gateway answers', () => {
    const scaled = renderChart({ autoscaling: { enabled: true }, gateway: { service: { port: 80 } } })
    expect(JSON.stringify(scaled)).toContain('http://plumbline-gateway.plumbline:80/v1/scaler/router')
  })
})

describe('the examples', () => {
  it('are ten at least', () => {
    expect(sets.length).toBeGreaterThanOrEqual(10)
  })
})
