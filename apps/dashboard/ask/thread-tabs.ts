import { useEffect } from 'react'
import { useQueryClient } from '@tanstack/react-query'

const openChannel = (): BroadcastChannel => new BroadcastChannel('plumbline.threads')

/** Notifies the other tabs of this browser that a thread has a new question. */
export const notifyOtherTabs = (threadId: string): void => {
  const channel = openChannel()
  channel.postMessage(threadId)
  channel.close()
}

/** Reloads a thread when another tab asks a question in it. */
export const useOtherTabs = (threadId: string): void => {
  const queries = useQueryClient()
  useEffect(() => {
    const channel = openChannel()
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (data === threadId) void queries.invalidateQueries({ queryKey: ['thread', threadId] })
    }
    return () => channel.close()
  }, [queries, threadId])
}
