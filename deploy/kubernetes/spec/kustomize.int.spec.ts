import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { stages } from '@plumbline/flow'
import { DocumentsEnv } from '@plumbline/hosting/documents.env'
import { readEnv } from '@plumbline/platform'
import { drawn } from './draw-base'
import {
  appIn,
  kubernetes,
  manifestsByName,
  ofOverlay,
  ofSet,
  overlays,
  settingsIn,
  templateOf,
  withOwn,
} from './manifests'
import { renderChart, type Manifest } from './render-chart'
import { faultsOf } from './rules'

const apps = ['gateway', ...stages, 'ingestor']

describe('the base of kustomize', () => {
  it.each([...drawn()])('has %s as the chart makes it', async (file, text) => {
    await expect(text).toMatchFileSnapshot(join(kubernetes, file))
  })

  it.each(overlays)('is made into %s, which Kubernetes takes and which keeps every rule', async (overlay) => {
    const manifests = ofOverlay(overlay)
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

const withSetting = (overlay: string, level: string): Manifest[] =>
  withOwn(overlay, [
    'configMapGenerator:',
    `  - { name: plumbline-settings, behavior: merge, literals: [LOG_LEVEL=${level}] }`,
  ])

describe('a changed setting', () => {
  it.each(overlays)('replaces the pods of every app in %s', (overlay) => {
    const [debug, warn] = [withSetting(overlay, 'debug'), withSetting(overlay, 'warn')]
    expect([settingsIn(debug).data.LOG_LEVEL, settingsIn(warn).data.LOG_LEVEL]).toEqual(['debug', 'warn'])
    for (const { name } of [debug, warn].map(settingsIn)) expect(name).toMatch(/^plumbline-settings-[a-z0-9]{10}$/)
    expect(settingsIn(warn).name).not.toBe(settingsIn(debug).name)
    for (const app of apps) {
      const [before, after] = [debug, warn].map((one) => appIn(one, app).pod.containers[0]?.envFrom)
      expect(before).toEqual([{ configMapRef: { name: settingsIn(debug).name } }])
      expect(after, app).not.toEqual(before)
    }
  })

  it('changes no pod while all settings stay', () => {
    expect(withSetting('ha', 'warn')).toEqual(withSetting('ha', 'warn'))
  })

  it.each([
    ['a setting', { settings: { LOG_LEVEL: 'warn' } }],
    ['the address of Redis', { redis: { bundled: false, url: 'redis://redis.example:6379' } }],
    ['the region of the bucket', { documents: { store: 's3', s3: { bucket: 'abc', region: 'x' } } }],
  ])('replaces the pods of every app of the chart: %s', (_, values) => {
    const before = renderChart({ documents: { store: 's3', s3: { bucket: 'abc' } } })
    const after = renderChart({ documents: { store: 's3', s3: { bucket: 'abc' } }, ...values })
    for (const app of apps)
      expect(appIn(after, app).template.metadata, app).not.toEqual(appIn(before, app).template.metadata)
  })
})

describe('documents in a bucket', () => {
  const deployments = (manifests: Manifest[]): Manifest[] => manifests.filter(({ kind }) => kind === 'Deployment')
  /** Reads the settings of documents as an app does; the path of a mounted secret stands for its value. */
  const documentsOf = (manifests: Manifest[], app: string) => {
    const given = Object.entries(appIn(manifests, app).env).map(([name, value]) => [name.replace(/_FILE$/, ''), value])
    return readEnv(DocumentsEnv, { ...settingsIn(manifests).data, ...Object.fromEntries(given) }).documents
  }
  it.each([['bucket.yaml', ofSet] as const, ...['ha', 'cluster'].map((overlay) => [overlay, ofOverlay] as const)])(
    'need no disk of any app, in %s, and gateway and ingestor read where they are',
    (from, make) => {
      const manifests = make(from)
      const disks = deployments(manifests).filter((one) =>
        templateOf(one).spec.volumes?.some(({ persistentVolumeClaim }) => persistentVolumeClaim),
      )
      expect(disks.map(({ metadata }) => metadata.name)).toEqual([])
      expect(manifestsByName(manifests)).not.toHaveProperty('PersistentVolumeClaim/plumbline-documents')
      expect(JSON.stringify(manifests)).not.toContain('ReadWriteMany')
      for (const app of ['gateway', 'ingestor'])
        expect(documentsOf(manifests, app)).toMatchObject({
          store: 's3',
          bucket: 'plumbline-documents',
          credentials: { secretAccessKey: '/run/secrets/plumbline/S3_SECRET_ACCESS_KEY' },
        })
    },
  )

  it('are not read from the base’s disk', () => {
    expect(documentsOf(renderChart({}), 'gateway')).toEqual({ store: 'folder' })
  })
})
