import { useEffect } from 'react'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import type { Client } from '@plumbline/client'
import type { LiveHint, LiveTopics } from '@plumbline/contracts'
import { useSession } from './session'

type Topics = Partial<LiveTopics>

/** Queries that show a thing have its name first in their key: `['run', id, …]`, `['document', id, …]`, `['desk', …]`. */
const keysOf = (hint: LiveHint): string[] => (hint.type === 'desk' ? ['desk'] : [hint.type, hint.id])

/** As many as the gateway takes. What is through makes room for the next, which is told once as it comes in. */
const mostAtOnce = 50

const unionOf = (all: Iterable<Topics>): LiveTopics => {
  const list = [...all]
  const each = (part: 'runs' | 'documents'): string[] =>
    [...new Set(list.flatMap((topics) => topics[part] ?? []))].slice(0, mostAtOnce).sort()
  return { runs: each('runs'), documents: each('documents'), desk: list.some(({ desk }) => desk === true) }
}
const isEmpty = ({ runs, documents, desk }: LiveTopics): boolean => runs.length + documents.length === 0 && !desk

/** Topics that come and go within one paint are asked for together. */
const settleMs = 50

/** One connection for all that the page shows. It is opened anew when what is shown changes; the gateway then tells every topic once. */
const openLive = (client: Client, queries: QueryClient) => {
  const wanted = new Map<symbol, Topics>()
  let held = ''
  let timer: ReturnType<typeof setTimeout> | undefined
  let open: AbortController | undefined

  const listen = async (topics: LiveTopics, signal: AbortSignal): Promise<void> => {
    for await (const hint of client.live(topics, { signal, giveUpMs: Number.POSITIVE_INFINITY }))
      void queries.invalidateQueries({ queryKey: keysOf(hint) })
  }
  const settle = (): void => {
    const topics = unionOf(wanted.values())
    const text = JSON.stringify(topics)
    if (text === held) return
    held = text
    open?.abort()
    open = isEmpty(topics) ? undefined : new AbortController()
    // A key that lost its right hears nothing more; what it shows is refused as it is read again.
    if (open) void listen(topics, open.signal).catch(() => undefined)
  }
  const later = (): void => {
    clearTimeout(timer)
    timer = setTimeout(settle, settleMs)
  }
  return (topics: Topics): (() => void) => {
    const id = Symbol('topics')
    wanted.set(id, topics)
    later()
    return () => {
      wanted.delete(id)
      later()
    }
  }
}

const opened = new WeakMap<Client, ReturnType<typeof openLive>>()

/** Reads again what a page shows of these when it changes. */
export const useLive = (topics: Topics): void => {
  const { client } = useSession()
  const queries = useQueryClient()
  const text = JSON.stringify(topics)
  useEffect(() => {
    const live = opened.get(client) ?? openLive(client, queries)
    opened.set(client, live)
    return live(JSON.parse(text) as Topics)
  }, [client, queries, text])
}
