import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { AbandonedList, BulkReplayed } from '@plumbline/contracts'
import { plain } from '../render/text'
import { manageAbandoned } from './abandoned'
import { readAbandonedArgs } from './args'

const list: AbandonedList = {
  items: [
    {
      runId: 'r1',
      taskId: 'research.1.1',
      tenant: 'a',
      policy: 'standard',
      reason: 'task.failed',
      at: '2026-11-22T20:00:00.000Z',
      question: 'Who?',
      status: 'failed',
    },
  ],
}
const replayed: BulkReplayed = {
  items: [
    { runId: 'r1', replayed: { runId: 'r9', tenant: 'a' } },
    { runId: 'r2', problem: 'There is no such abandoned run.' },
  ],
}

let server: Server
let sent: unknown[]
beforeEach(async () => {
  sent = []
  server = createServer((request, response) => {
    if (request.method === 'GET') return void response.end(JSON.stringify(list))
    void json(request).then((body) => {
      sent.push([request.url, body])
      response.end(JSON.stringify(replayed))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
})
afterEach(() => new Promise((resolve) => server.close(resolve)))

const run = async (...words: string[]): Promise<{ code: number; out: string }> => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const command = readAbandonedArgs([...words, '--url', url], {}, null)
  if (command.kind === 'help' || command.kind === 'fault') throw new Error(command.kind)
  const parts: string[] = []
  const output = { write: (text: string) => parts.push(text) }
  const code = await manageAbandoned(command, { output, screen: { paint: plain, width: 80 } })
  return { code, out: parts.join('') }
}

it('lists the abandoned tasks', async () => {
  const { code, out } = await run()
  expect([code, out]).toEqual([
    0,
    '1 abandoned task\n  2026-11-22 20:00:00  r1  research.1.1  task.failed  failed  Who?\n',
  ])
  expect(JSON.parse((await run('--json')).out)).toEqual(list)
})

it('asks the questions of runs or of a time range again, and says which were refused', async () => {
  const { code, out } = await run('replay', 'r1', 'r2')
  expect(code).toBe(4)
  expect(out).toBe(
    '  r1  asked again as r9\n  r2  There is no such abandoned run.\n1 question asked again, 1 refused\n',
  )
  await run('replay', '--from', '2026-11-22T20:00:00Z')
  expect(sent).toEqual([
    ['/v1/ops/abandoned/replay', { runIds: ['r1', 'r2'] }],
    ['/v1/ops/abandoned/replay', { from: '2026-11-22T20:00:00Z' }],
  ])
})

it('wants either runs or a range', () => {
  for (const words of [['replay'], ['replay', 'r1', '--from', 'x'], ['replay', '--to', 'x'], ['list', 'r1'], ['what']])
    expect(readAbandonedArgs(words, {}, null)).toMatchObject({ kind: 'fault' })
  expect(readAbandonedArgs(['--help'], {}, null)).toMatchObject({ kind: 'help' })
})
