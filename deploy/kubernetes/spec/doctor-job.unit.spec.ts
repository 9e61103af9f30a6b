import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'
import { expect, it } from 'vitest'
import type { Manifest } from './render-chart'
import { faultsOf } from './rules'

type Pod = {
  containers: { command?: string[]; securityContext?: unknown; volumeMounts?: { name: string; mountPath: string }[] }[]
  volumes?: { name: string }[]
  affinity?: unknown
  securityContext?: unknown
  serviceAccountName?: string
}
type Workload = Manifest & { spec: { template: { spec: Pod } } }

const kubernetes = join(import.meta.dirname, '..')
const read = (file: string): string => readFileSync(join(kubernetes, file), 'utf8')
const example = (file: string): Manifest => parse(read(`examples/${file}`)) as Manifest
const ingestor = (): Manifest | undefined =>
  parseAllDocuments(read('base/workers.yaml'))
    .map((document) => document.toJS() as Manifest)
    .find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'plumbline-ingestor')

/** The documents as a pod sees them, and as what it may run. */
const reachOf = (manifest: Manifest | undefined) => {
  const {
    containers,
    volumes = [],
    affinity,
    securityContext,
    serviceAccountName,
  } = (manifest as Workload).spec.template.spec
  const [container] = containers
  return {
    documents: volumes.find(({ name }) => name === 'data'),
    mounted: container?.volumeMounts?.find(({ name }) => name === 'data'),
    rights: [container?.securityContext, securityContext, serviceAccountName],
    affinity,
  }
}

it('the job of the doctor is valid for Kubernetes, and reaches the documents as an ingestor does', async () => {
  const job = example('doctor-job.yaml')
  expect(await faultsOf([job, example('doctor-network-policy.yaml')])).toEqual([])
  expect(reachOf(job)).toEqual(reachOf(ingestor()))
  expect((job as Workload).spec.template.spec.containers[0]?.command).toEqual(['node', 'dist/doctor/main.mjs'])
})
