import { Worker } from 'node:worker_threads'
import { AppError } from '@plumbline/platform'

export type EncodeRequest = { id: number; text: string }
export type EncodeResponse = { id: number; vector: Float32Array }
/** The limits of the JavaScript heap of the thread. The model is stored outside this heap. */
const resourceLimits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 }

type PendingText = { resolve: (vector: Float32Array) => void; reject: (error: unknown) => void }

const fromSource = import.meta.url.endsWith('.ts')
const entry = new URL(fromSource ? './encode.thread.ts' : '../threads/encode.mjs', import.meta.url)
const execArgv = fromSource ? ['--import', new URL('../parsing/child/from-source.mjs', import.meta.url).href] : []

/**
 * The thread starts with the first text, and again with the next text after a crash. It keeps the process alive only
 * while a call waits for a vector.
 */
export const openEncoderThread = (modelFolder?: string) => {
  const waiting = new Map<number, PendingText>()
  let worker: Worker | undefined
  let last = 0

  const fail = (cause: unknown): void => {
    worker = undefined
    for (const { reject } of waiting.values()) reject(new AppError('encoder.failed', 'later', { cause }))
    waiting.clear()
  }
  const start = (): Worker => {
    const started = new Worker(entry, { workerData: { modelFolder }, name: 'encoder', execArgv, resourceLimits })
    started.on('message', ({ id, vector }: EncodeResponse) => {
      waiting.get(id)?.resolve(vector)
      waiting.delete(id)
      if (waiting.size === 0) started.unref()
    })
    started.on('error', (error) => fail(error))
    started.on('exit', () => started === worker && fail(new Error('the encoder thread ended')))
    return started
  }
  return {
    encode: (text: string): Promise<Float32Array> =>
      new Promise((resolve, reject) => {
        worker ??= start()
        const id = (last += 1)
        waiting.set(id, { resolve, reject })
        worker.ref()
        worker.postMessage({ id, text } satisfies EncodeRequest)
      }),
    close: async (): Promise<void> => void (await worker?.terminate()),
  }
}
export type EncoderThread = ReturnType<typeof openEncoderThread>
