import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { createClient } from '@plumbline/client'
import { isAnswerLost } from './lost-answer'

const decision = { taskId: 'review.1', decisionId: 'd1', action: 'approve' } as const
const errorAt = (url: string): Promise<unknown> =>
  createClient({ url })
    .decide('r1', decision)
    .catch((error: unknown) => error)
const errorOf = async (status: number, body: string): Promise<unknown> => {
  const server = createServer((_, response) => response.writeHead(status).end(body))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return errorAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}

it('a decision is sent again if no gateway answered, and never if one of another version did', async () => {
  expect(isAnswerLost(await errorOf(502, 'Bad gateway'))).toBe(true)
  expect(isAnswerLost(await errorOf(200, '{"another":"shape"}'))).toBe(false)
  const problem = { type: 'urn:plumbline:problem:review-stale', title: 'Stale', status: 409 }
  expect(isAnswerLost(await errorOf(409, JSON.stringify(problem)))).toBe(false)
  expect(isAnswerLost(await errorAt('http://127.0.0.1:1'))).toBe(true)
})
