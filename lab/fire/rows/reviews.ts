import { Queue } from 'bullmq'
import { Redis } from 'ioredis'
import { stages } from '@plumbline/flow'
import { canary, type Orders } from '../handlers'
import type { Row } from '../row'
import { pause, until } from '../wait'
import { inWorld, type World } from '../world'
import { askAll } from './crashes'

export const ungrounded: Orders = { grounding: '0', steps: '2', ms: '2' }
export const parked = (world: World, ids: string[]): Promise<number> =>
  world.settled('park', ids, ({ status }) => status === 'parked', 120_000)

export const decide = async (
  world: World,
  id: string,
  taskId: string,
  decisionId: string,
  action = 'approve',
  who = decisionId,
  fields: Record<string, string> = {},
): Promise<number> => {
  const answer = await fetch(`${world.url}/v1/reviews/${id}/decision`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-reviewer': who },
    body: JSON.stringify({ taskId, decisionId, action, ...fields }),
  })
  await answer.arrayBuffer()
  return answer.status
}

const reviewTask = async (world: World, id: string): Promise<string> => {
  const [run] = await world.load([id])
  return run?.open.find(({ kind }) => kind === 'review')?.id ?? ''
}

const slotsAndDepth = async (world: World): Promise<{ active: number; depth: number }> => {
  const connection = new Redis(world.redis.url, { maxRetriesPerRequest: null })
  const names = [...stages, 'review']
  const queues = names.map((name) => new Queue(name, { connection, prefix: 'plumbline:{main}' }))
  const active = (await Promise.all(queues.map((queue) => queue.getActiveCount()))).reduce(
    (sum, count) => sum + count,
    0,
  )
  const depth = (await queues.at(-1)?.getWaitingCount()) ?? 0
  await Promise.all(queues.map((queue) => queue.close()))
  connection.disconnect()
  return { active, depth }
}

export const E4: Row = {
  id: 'E4',
  promise:
    '100 reviewers decide one parked run at once: 1 wins, 99 get 409; an earlier draft 409; the same decision again 200; a parked run holds nothing',
  run: () =>
    inWorld({ workers: 2 }, async (world) => {
      const [id = '', other = ''] = await askAll(world, [ungrounded, ungrounded])
      await parked(world, [id, other])
      let held = await slotsAndDepth(world)
      // A run is parked shortly before the grader's job ends and the review is queued.
      await until(
        'a parked run holds nothing',
        async () => {
          held = await slotsAndDepth(world)
          return held.active === 0 && held.depth === 2
        },
        5_000,
      ).catch(() => undefined)
      const { active, depth } = held
      const taskId = await reviewTask(world, id)
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, n) => decide(world, id, taskId, `decision-${n}`)),
      )
      const won = answers.flatMap((status, n) => (status === 200 ? [n] : []))
      const again = await decide(world, id, taskId, `decision-${won[0]}`)
      const first = await reviewTask(world, other)
      const retried = await decide(world, other, first, 'retry-1', 'retry')
      await world.settled(
        'park again',
        [other],
        (run) => run.status === 'parked' && !run.open.some((task) => task.id === first),
        60_000,
      )
      const earlier = await decide(world, other, first, 'late-1')
      const refused = answers.filter((status) => status === 409).length
      return {
        holds:
          won.length === 1 &&
          refused === 99 &&
          again === 200 &&
          retried === 200 &&
          earlier === 409 &&
          active === 0 &&
          depth === 2,
        figures: {
          won: won.length,
          'got 409': refused,
          'same again': again,
          'earlier draft': earlier,
          'slots held': active,
          'review depth': depth,
        },
      }
    }),
}

const asked = { question: 'What do the documents say in each case?', metadata: ungrounded }
const completion = { model: 'plumbline', messages: [{ role: 'user', content: asked.question }], metadata: ungrounded }
const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'ask', arguments: asked } }
type Door = { path: string; body: object; headers?: Record<string, string> }
const plainDoor: Door = { path: '/v1/runs', body: asked }
/** Maps the last digit of a run's number to an endpoint. All but 0 are for clients that do not know runs. */
const doors: Record<number, Door> = {
  0: { ...plainDoor, headers: { prefer: 'wait=2' } },
  3: { path: '/v1/chat/completions', body: completion },
  5: { path: '/v1/chat/completions', body: { ...completion, stream: true } },
  7: { path: '/mcp', body: call, headers: { accept: 'application/json, text/event-stream' } },
}

const watchAsAsker = async (
  world: World,
  n: number,
): Promise<{ id: string; seen: string[]; stop(): Promise<void> }> => {
  const seen: string[] = []
  const { path, body, headers } = doors[n % 10] ?? plainDoor
  const answer = await fetch(`${world.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  seen.push(text, JSON.stringify([...answer.headers]))
  const [id = ''] = /\br[0-9a-z]{24}\b/.exec(text) ?? []
  const over = new AbortController()
  const stream = (async () => {
    const events = await fetch(`${world.url}/v1/runs/${id}/events`, { signal: over.signal })
    const decoder = new TextDecoder()
    for await (const chunk of events.body ?? []) seen.push(decoder.decode(chunk, { stream: true }))
  })().catch(() => undefined)
  const stop = async (): Promise<void> => {
    for (const path of [`/v1/runs/${id}`, '/v1/runs?limit=100']) seen.push(await (await fetch(world.url + path)).text())
    over.abort()
    await stream
  }
  return { id, seen, stop }
}

export const E3: Row = {
  id: 'E3',
  promise:
    'ungrounded runs watched as an asker over SSE, Prefer: wait, OpenAI’s and MCP’s doors and the run view: 0 bytes of draft, claims or passages before release',
  run: (scale) =>
    inWorld({ workers: 2 }, async (world) => {
      const count = scale === 'full' ? 500 : 100
      const watched: Awaited<ReturnType<typeof watchAsAsker>>[] = []
      for (let n = 0; n < count; n += 50)
        watched.push(
          ...(await Promise.all(Array.from({ length: Math.min(50, count - n) }, (_, i) => watchAsAsker(world, n + i)))),
        )
      await parked(
        world,
        watched.map(({ id }) => id),
      )
      await pause(500)
      for (const { stop } of watched) await stop()
      const read = watched.reduce((sum, { seen }) => sum + seen.join('').length, 0)
      const leaks = watched.filter(({ seen }) => seen.join('').includes(canary)).length
      const sawParked = watched.filter(({ seen }) => seen.join('').includes('parked')).length
      const desk = await (await fetch(`${world.url}/v1/reviews/${watched[0]?.id}`)).text()
      return {
        holds: leaks === 0 && sawParked === count && desk.includes(canary),
        figures: {
          runs: count,
          'bytes read': read,
          leaks,
          'saw it parked': sawParked,
          'desk sees the draft': desk.includes(canary) ? 'yes' : 'no',
        },
      }
    }),
}
