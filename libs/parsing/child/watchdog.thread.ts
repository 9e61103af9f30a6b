import { writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { lastWords, slots } from './process-setup'

/** The watchdog runs in its own thread, because native code or an endless loop can block the thread of the reader. */
const shared = new Int32Array(workerData as SharedArrayBuffer)
const at = (slot: number): number => Atomics.load(shared, slot)
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
const say = (words: string): void => {
  try {
    writeSync(2, `\n${words}\n`)
  } catch {
    // Ignore the error, because standard error may be blocked.
  }
}
const end = (words: string): void => {
  say(words)
  process.kill(process.pid, 'SIGKILL')
}

let [file, from] = [0, 0]
const memoryMb = (): number => {
  const forOcr = at(slots.ocrPages) > 0 ? at(slots.ocrMemoryMb) : 0
  return Math.min(at(slots.mostMemoryMb), at(slots.memoryMb) + at(slots.pages) * at(slots.memoryMbPerPage) + forOcr)
}
const cpuMsAllowed = (): number =>
  at(slots.cpuMs) + at(slots.pages) * at(slots.cpuMsPerPage) + at(slots.ocrPages) * at(slots.cpuMsPerOcrPage)

/** The interval is short, because unpacking can fill hundreds of MB per second. */
const everyMs = 5
for (;;) {
  Atomics.wait(shared, slots.file, 0)
  if (at(slots.file) !== file) [file, from] = [at(slots.file), cpuMs()]
  if (process.memoryUsage.rss() > memoryMb() * 1e6) end(lastWords.memory)
  if (file !== 0 && cpuMs() - from > cpuMsAllowed()) end(lastWords.cpu)
  Atomics.wait(shared, slots.file, file, everyMs)
}
