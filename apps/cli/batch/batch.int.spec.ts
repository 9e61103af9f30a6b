import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { BatchView } from '@plumbline/contracts'
import { plain } from '../render/text'
import { readBatchArgs } from './args'
import { batch } from './batch'

const id = `b${'1'.repeat(24)}`
const none = { waiting: 0, running: 0, parked: 0, answered: 0, failed: 0, cancelled: 0 }
const view = (progress: Partial<BatchView['progress']>): BatchView => ({
  id,
  status: 'running',
  progress: { total: 3, ...none, ...progress },
  createdAt: '2026-01-01T00:00:00.000Z',
})
const results = [
  {
    custom_id: 'one',
    line: 1,
    status: 'answered',
    runId: 'r1',
    answer: { kind: 'written', text: 'Größe 1', citations: [] },
  },
  { custom_id: '2', line: 2, status: 'refused' },
  { custom_id: '3', line: 3, status: 'parked', runId: 'r3' },
].map((one) => JSON.stringify(one))

let server: Server
let views: BatchView[]
let sent: { path: string; type: string | undefined; body: string }[]
beforeEach(async () => {
  sent = []
  server = createServer((request, response) => {
    const { url = '', method = '', headers } = request
    void text(request).then((body) => {
      if (method === 'POST') sent.push({ path: url, type: headers['content-type'], body })
      if (!url.endsWith('/results'))
        return response.end(JSON.stringify((views.length > 1 ? views.shift() : views[0]) ?? null))
      // Send two chunks, and split them between the two bytes of one letter.
      const all = Buffer.from(`${results.join('\n')}\n`)
      const cut = all.indexOf('ö') + 1
      response.write(all.subarray(0, cut), () => response.end(all.subarray(cut)))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
})
afterEach(() => new Promise((resolve) => server.close(resolve)))

const run = async (words: string[], questions = ''): Promise<{ code: number; out: string; told: string }> => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const command = readBatchArgs([...words, '--url', url], {}, null)
  if (command.kind !== 'batch') throw new Error(command.kind === 'fault' ? command.message : 'help')
  const [output, progress, input] = [new PassThrough(), new PassThrough(), new PassThrough()]
  input.end(questions)
  const code = await batch({ options: command.options, output, progress, input, screen: { paint: plain, width: 80 } })
  const [out, told] = [text(output), text(progress)]
  output.end()
  progress.end()
  return { code, out: await out, told: await told }
}

it('sends the file, says how far it is, and writes the results in their order', async () => {
  views = [view({ waiting: 3 }), view({ running: 2, failed: 1 }), view({ answered: 1, failed: 1, parked: 1 })]
  const { code, out, told } = await run(['-'], '{"question":"x"}\n')
  expect(sent).toEqual([{ path: '/v1/batches', type: 'application/jsonl', body: '{"question":"x"}\n' }])
  expect(out).toBe(`${results.join('\n')}\n`)
  expect(told).toContain('3 questions')
  expect(told).toContain('1 of 3: 1 failed, 2 running')
  expect(told).toContain('3 of 3: 1 answered, 1 failed, 1 parked')
  expect(told).toContain(`--watch ${id}`)
  expect(code).toBe(3)
})

it('tells by its code whether all lines have an answer', async () => {
  views = [view({ answered: 3 })]
  expect((await run(['--watch', id])).code).toBe(0)
  views = [view({ answered: 2, cancelled: 1 })]
  expect((await run(['--watch', id])).code).toBe(4)
  expect((await run(['--cancel', id])).told).toContain('3 of 3: 2 answered, 1 cancelled')
  await expect(run(['/no/such/file'])).rejects.toThrow('cannot be read')
})

it('wants one thing to do', () => {
  for (const words of [[], ['a', 'b'], ['a', '--watch', id], ['--watsh', id]])
    expect(readBatchArgs(words, {}, null)).toMatchObject({ kind: 'fault' })
  expect(readBatchArgs(['--help'], {}, null)).toMatchObject({ kind: 'help' })
})
