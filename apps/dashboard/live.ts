import { useEffect } from 'react'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import type { Client } from '@plumbline/client'
import type { LiveHint, LiveTopics } from '@plumbline/contracts'
import { useSession } from './session'

type Topics = Partial<LiveTopics>

const keysOf = (hint: LiveHint): string[] => (hint.type === 'desk' ? ['desk'] : [hint.type, hint.id])

/** One connection can report changes of at most this many runs and this many documents. */
const mostAtOnce = 50

const unionOf = (all: Iterable<Topics>): LiveTopics => {
  const list = [...all]
  const each = (part: 'runs' | 'documents'): string[] =>
    [...new Set(list.flatMap((topics) => topics[part] ?? []))].slice(0, mostAtOnce).sort()
  return { runs: each('runs'), documents: each('documents'), desk: list.some(({ desk }) => desk === true) }
}
const isEmpty = ({ runs, documents, desk }: LiveTopics): boolean => runs.length + documents.length === 0 && !desk

/** The connection is opened again after this delay in ms, so that several changes of topics cause only one request. */
const settleMs = 50

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
    // Ignore errors here. If the key has lost its role, the next request of the page reports this.
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
