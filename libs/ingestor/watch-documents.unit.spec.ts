import { expect, it, vi } from 'vitest'
import { watchDocuments } from './watch-documents'

it('an ingestor lacks its document store while that does not answer, and logs this once', async () => {
  vi.useFakeTimers()
  let isAway = true
  const told: string[] = []
  const files = {
    where: 'the bucket kept',
    check: () => (isAway ? Promise.reject(new Error('down')) : Promise.resolve()),
  }
  const watch = watchDocuments(files, { warn: (...words: unknown[]) => void told.push(String(words[1])) })
  try {
    expect(watch.lacking()).toEqual([])
    await vi.advanceTimersByTimeAsync(30_000)
    expect(watch.lacking()).toEqual(['document store: the bucket kept'])
    expect(told).toEqual(['document store unavailable: tasks that need it are waiting'])
    isAway = false
    await vi.advanceTimersByTimeAsync(10_000)
    expect(watch.lacking()).toEqual([])
  } finally {
    vi.useRealTimers()
    await watch.stop()
  }
})
