import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { createClient } from '@plumbline/client'
import type { DocumentView } from '@plumbline/contracts'
import { followTogether } from './follow-together'

const sha256 = 'a'.repeat(64)
const view = (name: string, status: DocumentView['status']): DocumentView => ({
  id: `d${name}`,
  title: name,
  name,
  sha256,
  collection: 'c',
  status,
  progress: { passages: 0, percent: 0 },
  createdAt: '',
  updatedAt: '',
})

/** Starts a server that answers each comparison request with the next list of documents. */
const following = async (...answers: DocumentView[][]) => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    const items = (answers.shift() ?? []).map((document) => ({ name: document.name, taken: 'unchanged', document }))
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ items }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void (server.closeAllConnections(), server.close()))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const off = { dryRun: false, prune: false, watch: false, yes: false, json: false, named: true }
  const options = { places: [], collection: 'c', metadata: {}, access: [], concurrency: 1, ...off, url }
  const stop = new AbortController()
  const updates: string[] = []
  const { follow } = followTogether({
    client: createClient({ url }),
    options,
    stopping: stop.signal,
    onUpdate: (name, { status }) => updates.push(`${name} ${status}`),
    onWait: () => undefined,
  })
  return { follow, asked, updates, stop }
}

it('follows all documents with one request per interval, to the end of each', async () => {
  const { follow, asked, updates } = await following(
    [view('1', 'indexed'), view('2', 'processing')],
    [view('2', 'failed')],
  )
  const both = await Promise.all([follow(view('1', 'queued')), follow(view('2', 'queued'))])
  expect(both.map((one) => one?.status)).toEqual(['indexed', 'failed'])
  expect(asked).toEqual(Array(2).fill('POST /v1/documents/compare'))
  expect(updates).toEqual(['1 indexed', '2 processing', '2 failed'])
})

it('leaves a document without a digest to its event stream, and ends with the ingestion', async () => {
  const { follow, stop } = await following()
  const { sha256: _, ...without } = view('1', 'queued')
  expect(follow(without)).toBeNull()
  const followed = follow(view('2', 'queued'))
  stop.abort(new Error('interrupted'))
  await expect(followed).rejects.toThrow('aborted')
})
