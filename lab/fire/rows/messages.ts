import { createClient } from '@plumbline/client'
import { openRecordingProxy, type RecordingProxy } from '../recording-proxy'
import { seconds, type Row } from '../row'
import { until } from '../wait'
import { inWorld, type World } from '../world'

const workers = 7
const names = ['gateway', ...Array.from({ length: workers }, (_, n) => `worker-${n}`)]
const isCancelled = (n: number): boolean => n % 10 === 0
const isWatched = (n: number): boolean => n % 4 < 2

/** Must be below 15 s, because a watcher without messages polls after 15 s. */
const wakeUpMs = 8_000

const watch = async (url: string, id: string): Promise<string> => {
  let end = ''
  for await (const event of createClient({ url }).events(id, { signal: AbortSignal.timeout(120_000) }))
    if (event.type === 'ended') end = event.status
  return end
}

const cancel = async (world: World, id: string): Promise<void> => {
  await until('a worker is at work', async () => (await world.witness.hexists('holders', `${id}/route`)) > 0, 60_000)
  const answer = await fetch(`${world.url}/v1/runs/${id}/cancel`, { method: 'POST' })
  if (!answer.ok) throw new Error(`a cancel was answered ${answer.status}`)
}

const runAll = async (world: World, count: number) => {
  const ids: string[] = []
  const ends: Promise<string>[] = []
  const cancels: Promise<void>[] = []
  for (let n = 0; n < count; n += 1) {
    const id = await world.askWell(isCancelled(n) ? { hold: 'route:60000' } : {})
    ids.push(id)
    if (isWatched(n)) ends.push(watch(world.url, id))
    if (isCancelled(n)) cancels.push(cancel(world, id))
  }
  await Promise.all(cancels)
  await world.ended(ids, 180_000)
  const endedAt = performance.now()
  return { ids, ends: await Promise.all(ends), lateMs: performance.now() - endedAt }
}

/** Maps each worker to the runs that it processed, and the gateway to the runs that are watched. */
const partsOf = async (world: World, ids: string[]): Promise<Map<string, Set<string>>> => {
  const parts = new Map(names.map((name) => [name, new Set<string>()]))
  const byPid = new Map(world.crew.members.map(({ pid, name }) => [`${pid}`, name]))
  for (const [task, pid] of Object.entries(await world.witness.hgetall('holders')))
    parts.get(byPid.get(pid) ?? '')?.add(task.split('/')[0] ?? '')
  for (const [n, id] of ids.entries()) if (isWatched(n)) parts.get('gateway')?.add(id)
  return parts
}

const strangers = (proxy: RecordingProxy, ids: string[], part: Set<string>): Map<string, number> => {
  const counts = new Map(ids.filter((id) => !part.has(id)).map((id) => [id, 0]))
  for (const { channel, payload } of proxy.messages()) {
    const [id = ''] = /[a-z0-9]{20,}/.exec(`${channel} ${payload}`) ?? []
    const count = counts.get(id)
    if (count !== undefined) counts.set(id, count + 1)
  }
  return counts
}

const withProxies = async <T>(work: (proxies: Map<string, RecordingProxy>) => Promise<T>): Promise<T> => {
  const proxies = new Map<string, RecordingProxy>()
  for (const name of names) proxies.set(name, await openRecordingProxy())
  try {
    return await work(proxies)
  } finally {
    proxies.forEach((proxy) => proxy.close())
  }
}

export const R19: Row = {
  id: 'R19',
  promise:
    '8 processes, runs, some watched and some cancelled: a process receives ≤ 2 messages per run it has no part in',
  run: (scale) =>
    withProxies((proxies) =>
      inWorld({ workers, redisFor: (name, redisUrl) => proxies.get(name)?.to(redisUrl) ?? redisUrl }, async (world) => {
        const count = scale === 'full' ? 1_000 : 100
        const { ids, ends, lateMs } = await runAll(world, count)
        const parts = await partsOf(world, ids)
        const received = [...proxies].map(([name, proxy]) => ({
          all: proxy.messages().length,
          strange: [...strangers(proxy, ids, parts.get(name) ?? new Set()).values()],
        }))
        const strange = received.flatMap((each) => each.strange)
        const most = Math.max(...strange)
        const watched = ends.filter(Boolean).length
        const listening = [...proxies.values()].filter((proxy) => proxy.subscribers() > 0).length
        return {
          holds: most <= 2 && watched === ends.length && lateMs < wakeUpMs && listening === names.length,
          figures: {
            processes: names.length,
            runs: count,
            'most per run': most,
            'mean per run': (strange.reduce((sum, each) => sum + each, 0) / strange.length).toFixed(2),
            'received in all': received.map(({ all }) => all).join(' '),
            'watchers that saw the end': `${watched}/${ends.length}`,
            'the last of them after': seconds(lateMs),
          },
        }
      }),
    ),
}
