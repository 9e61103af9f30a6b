import { afterAll, expect } from 'vitest'
import { compareAnswer, compareLater, isCompared, isFromGateway, isStream, takeFaults } from './compare-answers'
import type { Answer } from './described-answers'

/** Checks each event while the response is read. A copy of the body would keep the stream open. */
const comparingEvents = (response: Response, answer: Answer): Response => {
  if (!response.body) return response
  const decoder = new TextDecoder()
  let text = ''
  const passing = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      controller.enqueue(chunk)
      text += decoder.decode(chunk, { stream: true })
      const end = text.lastIndexOf('\n\n')
      if (end < 0) return
      compareAnswer({ ...answer, body: text.slice(0, end) })
      text = text.slice(end + 2)
    },
  })
  const same = new Response(response.body.pipeThrough(passing), response)
  return Object.defineProperty(same, 'url', { value: response.url })
}

const { fetch } = globalThis
/** Replaces `fetch`, so that each response of a gateway is compared with the description of the API. */
globalThis.fetch = async (input, init) => {
  const response = await fetch(input, init)
  if (!isFromGateway((header) => response.headers.has(header))) return response
  const type = response.headers.get('content-type') ?? ''
  const answer: Answer = {
    method: init?.method ?? (input instanceof Request ? input.method : 'GET'),
    path: new URL(response.url).pathname,
    status: response.status,
    type,
  }
  if (isCompared(type)) compareLater(answer, response.clone().text())
  else compareAnswer(answer)
  return isStream(type) ? comparingEvents(response, answer) : response
}

afterAll(async () => {
  globalThis.fetch = fetch
  expect(await takeFaults(), 'answers that docs/openapi.json does not describe').toEqual([])
})
