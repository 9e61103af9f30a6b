import { useEffect } from 'react'
import { useQueryClient } from '@tanstack/react-query'

const openChannel = (): BroadcastChannel => new BroadcastChannel('plumbline.threads')

export const notifyOtherTabs = (threadId: string): void => {
  const channel = openChannel()
  channel.postMessage(threadId)
  channel.close()
}

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
