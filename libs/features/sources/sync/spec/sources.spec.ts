import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openSource } from '../../connectors/open-source'
import { openSourceRuns } from '../../store/source-runs'
import { openSources } from '../../store/sources'
import { NewSource, type SourceView } from '@plumbline/contracts'
import { silent } from '@plumbline/platform'
import { expect } from 'vitest'
import type { z } from 'zod'
import { openBench, tenant } from '@plumbline/ingestor/spec/bench.spec'
import { startSources } from '../source-runner'
import type { SyncPorts } from '../run/source-run'

const never = new AbortController().signal
const limits = { everyMs: 20, perLook: 20, againInMs: 100, atOnce: 4, whenFullMs: 50 }
/** A run that stands still is continued by another one after this time. */
export const shortLeaseMs = 400

/** Makes every call from the n-th on hang until `goOn`, as in a process that was stopped. */
export const standingStill = (ports: SyncPorts, from: number) => {
  const calls: string[] = []
  const gate = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  let left = from
  const still = <Own extends object>(name: string, own: Own): Own =>
    new Proxy(own, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key)
        if (typeof value !== 'function') return value
        const call = value as (...args: unknown[]) => unknown
        return async (...args: unknown[]) => {
          // Lease renewals and due checks are not counted, but they hang too.
          const counts = !['note', 'takeDue', 'complete', 'schedule'].includes(String(key))
          if (counts) calls.push(`${name}.${String(key)}`)
          if (counts) left -= 1
          if (left < 0) {
            reached.resolve()
            await gate.promise
          }
          return call(...args)
        }
      },
    })
  return {
    ports: {
      ...ports,
      runs: still('runs', ports.runs),
      catalog: still('catalog', ports.catalog),
      files: still('files', ports.files),
      index: still('index', ports.index),
    },
    calls,
    reached: reached.promise,
    goOn: gate.resolve,
  }
}

/** Opens a folder with its source, catalog, files and index. Imported documents are indexed at once. */
export const openSourceBench = async (leaseMs?: number) => {
  const bench = await openBench()
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-source-'))
  const store = openSources(bench.redis)
  const ports: SyncPorts = {
    runs: openSourceRuns(bench.redis, leaseMs),
    catalog: bench.catalog,
    files: bench.files,
    index: bench.memory,
    queue: { add: async (job) => void (await bench.deliver(job, true)) },
    openSource: (settings) => openSource(settings, { folders: [folder] }),
    log: silent,
  }
  const settled = async (name = 'docs', before?: string): Promise<SourceView> => {
    let view: SourceView | null = null
    await expect
      .poll(
        async () => {
          view = await store.one(tenant, name)
          return view?.status === 'idle' && view.last !== undefined && view.last.endedAt !== before
        },
        { interval: 20 },
      )
      .toBe(true)
    return view as unknown as SourceView
  }
  return {
    ...bench,
    folder,
    store,
    ports,
    start: (own: SyncPorts = ports) => startSources(own, limits),
    add: (told: Partial<z.input<typeof NewSource>> = {}, name = 'docs') =>
      store.put(tenant, name, {
        told: NewSource.parse({ settings: { kind: 'folder', path: folder }, collection: 'main', ...told }),
        next: null,
      }),
    /** Requests a run and waits for its end. */
    sync: async (confirmRemovals = false, name = 'docs'): Promise<NonNullable<SourceView['last']>> => {
      const before = (await store.one(tenant, name))?.last?.endedAt
      await store.run(tenant, name, confirmRemovals)
      const { last } = await settled(name, before)
      if (!last) throw new Error('no run')
      return last
    },
    settled,
    write: async (path: string, text: string): Promise<void> => {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), text)
    },
    remove: (path: string): Promise<void> => rm(join(folder, path)),
    move: (from: string, to: string): Promise<void> => rename(join(folder, from), join(folder, to)),
    /** Returns the texts that questions find, by the name of the document. */
    served: async (access: readonly string[] | 'all' = 'all'): Promise<Record<string, string>> => {
      const scope = { tenant, collections: ['main'], filters: {}, access }
      const { items } = await bench.catalog.documents(tenant, { limit: 1_000 })
      const found = await Promise.all(
        items.map(async ({ id, name = '' }) => {
          const passages = await bench.memory.passages(scope, id, null, never)
          return passages.map(({ text }) => [name, text] as const)
        }),
      )
      return Object.fromEntries(found.flat().sort(([a], [b]) => (a < b ? -1 : 1)))
    },
    close: async (): Promise<void> => {
      await bench.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
export type SourceBench = Awaited<ReturnType<typeof openSourceBench>>
