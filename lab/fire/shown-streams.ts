import { createClient, type Client, ProblemError } from '@plumbline/client'
import { messages } from '@plumbline/client/events'
import type { ChatChunk, Problem, StreamEvent } from '@plumbline/contracts'
import { pause } from './wait'

export type Door = 'events' | 'ask' | 'chat'

export type Reading = { door: Door; events: StreamEvent[]; pieces: string[]; finish?: string }

type Ask = { question: string; collection: string; policy: string }
export type Watched = { id: string; readings: Reading[]; done: Promise<void>; stop(): void }
type Seen = (event: StreamEvent, id: string) => void

const reading = (door: Door): Reading => ({ door, events: [], pieces: [] })

export const patiently = async <T>(request: () => Promise<T>): Promise<T> => {
  for (let left = 30; ; left -= 1) {
    try {
      return await request()
    } catch (error) {
      const isBusy = error instanceof ProblemError && (error.problem.status >= 500 || error.problem.status === 429)
      if (!isBusy || left === 0) throw error
      await pause(500)
    }
  }
}

/** `breaks`: the connection is closed after the first checked part, and opened again. */
const readEvents = async (
  client: Client,
  id: string,
  into: Reading,
  signal: AbortSignal,
  breaks: boolean,
): Promise<void> => {
  let after: string | undefined
  for await (const event of client.events(id, { signal, onPlace: (place) => (after = place) })) {
    into.events.push(event)
    if (breaks && event.type === 'checked') break
    if (event.type === 'ended') return
  }
  if (signal.aborted || after === undefined) return
  for await (const event of client.events(id, { signal, after })) into.events.push(event)
}

const openChat = async (url: string, { question, policy }: Ask): Promise<ReadableStream<Uint8Array>> => {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: policy, stream: true, messages: [{ role: 'user', content: question }] }),
  })
  if (response.ok && response.body) return response.body
  throw new ProblemError({ status: response.status, detail: await response.text() } as Problem, undefined)
}

const readChat = async (url: string, ask: Ask, into: Reading, onRun: (id: string) => void): Promise<void> => {
  const body = await patiently(() => openChat(url, ask))
  for await (const { data } of messages(body)) {
    if (data === '' || data === '[DONE]') continue
    const chunk = JSON.parse(data) as ChatChunk
    onRun(chunk.id)
    const [choice] = chunk.choices
    if (choice?.delta.content) into.pieces.push(choice.delta.content)
    if (choice?.finish_reason) into.finish = choice.finish_reason
  }
}

/** Asks the question and starts a reader. Returns the run's id while the reader still reads. */
const openDoor = async (url: string, ask: Ask, into: Reading, signal: AbortSignal, breaks: boolean) => {
  const client = createClient({ url })
  if (into.door === 'events') {
    const { id } = await patiently(() => client.ask(ask))
    return { id, read: readEvents(client, id, into, signal, breaks) }
  }
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const readAsked = async (): Promise<void> => {
    const openAsk = async (): Promise<void> => {
      for await (const event of client.askEvents(ask, { signal, onRun: resolve })) into.events.push(event)
    }
    await patiently(openAsk)
  }
  const read = into.door === 'ask' ? readAsked() : readChat(url, ask, into, resolve)
  read.catch(reject)
  return { id: await promise, read }
}

/** A second reader passes the same run's events to `onEvent`. `breaks`: the first reader is interrupted once. */
export const watchRun = async (
  url: string,
  door: Door,
  ask: Ask,
  { breaks, onEvent }: { breaks: boolean; onEvent: Seen },
): Promise<Watched> => {
  const over = new AbortController()
  const [first, second] = [reading(door), reading('events')]
  const { id, read } = await openDoor(url, ask, first, over.signal, breaks)
  const beside = async (): Promise<void> => {
    for await (const event of createClient({ url }).events(id, { signal: over.signal })) {
      second.events.push(event)
      onEvent(event, id)
    }
  }
  const done = Promise.all([read, beside()]).then(() => undefined)
  done.catch(() => undefined)
  return { id, readings: [first, second], done, stop: () => over.abort() }
}

/** Joins the checked parts. Returns null if the parts overlap or leave a gap. */
export const shownIn = (events: StreamEvent[]): string | null => {
  let text = ''
  for (const event of events) {
    if (event.type !== 'checked') continue
    if (event.from !== text.length) return null
    text += event.text
  }
  return text
}
