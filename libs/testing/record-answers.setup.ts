import { afterAll, expect } from 'vitest'
import { describedAnswers, type DescribedAnswers } from './described-answers'

/** Returns whether a response comes from a gateway, which is the only server that sends these headers. */
const isFromGateway = ({ headers }: Response): boolean => headers.has('x-request-id') && headers.has('x-frame-options')

// Compile the description once per process, when the first response of a gateway arrives.
const shared = globalThis as { describedAnswers?: DescribedAnswers }
const described = (): DescribedAnswers => (shared.describedAnswers ??= describedAnswers())

const faults = new Set<string>()
const reading = new Set<Promise<void>>()

const check = async (method: string, response: Response, copy: Response | undefined): Promise<void> => {
  // Skip the response if the client disconnected, because its body is incomplete.
  const body = await copy?.text().catch(() => undefined)
  if (copy && body === undefined) return
  const fault = described().faultOf({
    method,
    path: new URL(response.url).pathname,
    status: response.status,
    type: response.headers.get('content-type') ?? '',
    ...(body !== undefined && { body }),
  })
  if (fault !== undefined) faults.add(fault)
}

const isJson = ({ headers }: Response): boolean => /[/+]json(;|$)/.test(headers.get('content-type') ?? '')

const { fetch } = globalThis
/**
 * Compares each response of a gateway with the API description. Skips streams, because copying a stream would keep its
 * connection open.
 */
globalThis.fetch = async (input, init) => {
  const response = await fetch(input, init)
  if (isFromGateway(response)) {
    const method = init?.method ?? (input instanceof Request ? input.method : 'GET')
    const checking = check(method, response, isJson(response) ? response.clone() : undefined)
    reading.add(checking)
    void checking.finally(() => reading.delete(checking))
  }
  return response
}

afterAll(async () => {
  globalThis.fetch = fetch
  await Promise.all(reading)
  expect([...faults], 'answers that docs/openapi.json does not describe').toEqual([])
})
