import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import type { Cluster, Redis } from 'ioredis'
import type { Queue } from 'bullmq'
import type { QueueName } from '@plumbline/ports/job-queue'
import { openQueue } from './queues'

type Route = { method: string | string[]; route: string | string[]; handler: (request: object) => unknown }
type BoardSetup = { queues: unknown; config: object; routes: Route[] }
type BoardAnswer = { status?: number; body: string | Record<string, unknown> }

export const boardPath = '/queues/'
const folder = join(dirname(createRequire(import.meta.url).resolve('@bull-board/ui/package.json')), 'dist')
const shownQueues: QueueName[] = ['router', 'planner', 'researcher', 'generator', 'grader', 'review', 'ingest']

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
}

const keeper = () => {
  const told: BoardSetup = { queues: undefined, config: {}, routes: [] }
  const kept = (keep: (value: never) => void) =>
    function (this: unknown, value: unknown) {
      keep(value as never)
      return adapter
    }
  const adapter = {
    setQueues: kept((queues) => void (told.queues = queues)),
    setUIConfig: kept((config) => void (told.config = config)),
    setApiRoutes: kept((routes) => void (told.routes = routes)),
    setViewsPath: kept(() => undefined),
    setStaticPath: kept(() => undefined),
    setEntryRoute: kept(() => undefined),
    setErrorHandler: kept(() => undefined),
  }
  return { told, adapter }
}

const paramsIn = (route: string, path: string): Record<string, string> | null => {
  const [wanted, given] = [route.split('/'), path.split('/')]
  if (wanted.length !== given.length) return null
  const params: Record<string, string> = {}
  for (const [n, part] of wanted.entries()) {
    const its = given[n] ?? ''
    if (part.startsWith(':')) params[part.slice(1)] = decodeURIComponent(its)
    else if (part !== its) return null
  }
  return params
}

const load = async (queues: [string, Queue][]): Promise<BoardSetup> => {
  const [{ createBullBoard }, { BullMQAdapter }] = await Promise.all([
    import('@bull-board/api'),
    import('@bull-board/api/bullMQAdapter'),
  ])
  const { told, adapter } = keeper()
  createBullBoard({
    queues: queues.map(([prefix, queue]) => new BullMQAdapter(queue, { readOnlyMode: true, prefix })),
    serverAdapter: adapter as unknown as Parameters<typeof createBullBoard>[0]['serverAdapter'],
    options: { uiConfig: { boardTitle: 'Plumbline: queues' } },
  })
  return told
}

const pageOf = async (config: object): Promise<string> => {
  const template = await readFile(join(folder, 'index.ejs'), 'utf8')
  const values: Record<string, string> = {
    basePath: boardPath,
    title: 'Plumbline: queues',
    favIconAlternative: 'static/favicon-32x32.png',
    favIconDefault: 'static/images/logo.svg',
    uiConfig: JSON.stringify(config).replaceAll('<', '\\u003c'),
  }
  return template
    .replace(/<link[^>]+href="https?:[^>]+>/g, '')
    .replace(/<%[-=] (\w+) %>/g, (_, name: string) => values[name] ?? '')
}

export const openQueueBoard = (connection: Redis | Cluster, lanes: readonly string[]) => {
  let opened: { queues: Queue[]; told: Promise<BoardSetup> } | undefined
  const told = (): Promise<BoardSetup> => {
    if (opened) return opened.told
    const named = lanes.flatMap((lane) =>
      shownQueues.map((name): [string, Queue] => [
        lanes.length > 1 ? `${lane}: ` : '',
        openQueue(connection, lane, name),
      ]),
    )
    opened = { queues: named.map(([, queue]) => queue), told: load(named) }
    return opened.told
  }
  return {
    page: async (): Promise<string> => pageOf((await told()).config),
    file: async (path: string): Promise<{ type: string; body: Buffer } | null> => {
      const type = types[extname(path)]
      if (type === undefined || !/^(?:[\w-][\w.-]*\/)*[\w-][\w.-]*$/.test(path)) return null
      const body = await readFile(join(folder, 'static', path)).catch(() => null)
      return body && { type, body }
    },
    api: async (path: string, query: unknown): Promise<BoardAnswer | null> => {
      const { routes, queues, config } = await told()
      for (const { method, route, handler } of routes) {
        if (![method].flat().includes('get')) continue
        const params = [route]
          .flat()
          .map((each) => paramsIn(each, path))
          .find((found) => found !== null)
        if (params)
          return (await handler({ queues, uiConfig: config, params, query, body: {}, headers: {} })) as BoardAnswer
      }
      return null
    },
    close: async (): Promise<void> => void (await Promise.all((opened?.queues ?? []).map((queue) => queue.close()))),
  }
}
export type QueueBoard = ReturnType<typeof openQueueBoard>
