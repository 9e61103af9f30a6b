import { memoryRunStore } from './memory-run-store'
import { runStoreContract } from './run-store.contract'

runStoreContract('MemoryRunStore', async () => {
  const store = memoryRunStore()
  return {
    store,
    other: store,
    forget: async (runId) => store.forget(runId),
    snapshot: async (runId) => {
      const restore = store.snapshot(runId)
      return async () => restore()
    },
    close: async () => {},
  }
})
