import { afterAll, beforeAll, expect, it } from 'vitest'
import { startPrivateCluster } from '@plumbline/platform'
import { benchOn } from './spec/bench'

let bench: Awaited<ReturnType<typeof open>>
const open = async () => benchOn(await startPrivateCluster())
beforeAll(async () => {
  bench = await open()
})
afterAll(() => bench.close())

it('carries runs to their end on a Redis Cluster, in several lanes', async () => {
  await bench.host({ env: { LANES: 'main,second' } })
  const ids = await Promise.all(['main', 'second', 'main', 'second'].map((lane) => bench.ask({ plan: 'always' }, lane)))
  const runs = await Promise.all(ids.map((id) => bench.ended(id)))
  expect(runs.map(({ lane, status }) => `${lane} ${status}`)).toEqual([
    'main answered',
    'second answered',
    'main answered',
    'second answered',
  ])
})
