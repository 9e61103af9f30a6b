import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { type Client, createClient, Unreachable } from '@plumbline/client'
import { type BatchView, clean } from '@plumbline/contracts'
import { WrongArgument } from '../ingest/find-files'
import { count, type Screen } from '../render/text'
import type { BatchOptions } from './args'

type Output = NodeJS.WritableStream & { isTTY?: boolean }
type Telling = { options: BatchOptions; screen: Screen; output: Output; progress: Output; input: NodeJS.ReadableStream }

const lookEveryMs = 500
const logEveryMs = 5_000
/** If the gateway does not respond for this time, the command ends. The batch continues. */
const patienceMs = 60_000

const stateOf = ({
  progress: { total, waiting, running, parked, answered, failed, cancelled },
  waitsFor,
}: BatchView) => {
  const counts = { answered, failed, cancelled, parked, running, waiting }
  const shown = Object.entries(counts).flatMap(([name, many]) => (many > 0 ? [`${many} ${name}`] : []))
  return `${total - waiting - running} of ${total}: ${shown.join(', ')}${waitsFor === undefined ? '' : ` (${waitsFor})`}`
}

const follow = async (
  client: Client,
  id: string,
  { progress, screen }: Telling,
  signal: AbortSignal,
): Promise<BatchView> => {
  let toldAt = -Infinity
  const tell = (words: string): void => {
    if (progress.isTTY) return void progress.write(`\r\x1b[K  ${screen.paint.dim(words)}`)
    if (performance.now() - toldAt < logEveryMs) return
    progress.write(`  ${words}\n`)
    toldAt = performance.now()
  }
  for (let seenAt = performance.now(); ;) {
    const view = await client.batch(id, { signal }).catch((error: unknown) => {
      if (error instanceof Unreachable && performance.now() - seenAt < patienceMs) return null
      throw error
    })
    if (view) {
      seenAt = performance.now()
      tell(stateOf(view))
      if (view.progress.waiting + view.progress.running === 0) {
        if (progress.isTTY) progress.write('\r\x1b[K')
        return view
      }
    }
    await wait(lookEveryMs, undefined, { signal })
  }
}

const writeResults = async (client: Client, id: string, output: Output): Promise<void> => {
  for await (const result of client.batchResults(id))
    if (!output.write(`${JSON.stringify(result)}\n`)) await once(output, 'drain')
}

const codeOf = ({ progress: { parked, failed, cancelled } }: BatchView): number => {
  if (parked > 0) return 3
  return failed + cancelled > 0 ? 4 : 0
}

const create = async (client: Client, file: string, input: NodeJS.ReadableStream): Promise<BatchView> => {
  const read = file === '-' ? text(input) : readFile(file, 'utf8')
  const lines = await read.catch((error: unknown) => {
    throw new WrongArgument(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  })
  return client.createBatch(lines, { idempotencyKey: randomUUID() })
}

export const batch = async (telling: Telling): Promise<number> => {
  const { options, output, progress, input } = telling
  const client = createClient({ url: options.url, ...(options.key && { key: options.key }) })
  const say = (words: string): void => void progress.write(`${clean(words)}\n`)
  if (options.do === 'cancel') {
    say(`${options.id}: ${stateOf(await client.cancelBatch(options.id))}`)
    return 0
  }
  const stop = new AbortController()
  const interrupt = (): void => stop.abort()
  process.once('SIGINT', interrupt)
  const { id, progress: counts } =
    options.do === 'watch' ? await client.batch(options.id) : await create(client, options.file, input)
  const later = `npm run -s plumbline -- batch --watch ${id}`
  try {
    say(`${id}: ${count(counts.total, 'question')}`)
    const view = await follow(client, id, telling, stop.signal)
    await writeResults(client, id, output)
    say(stateOf(view))
    if (view.progress.parked > 0)
      say(`A reviewer decides about the held answers. To write all results again later: ${later}`)
    return codeOf(view)
  } catch (error) {
    if (!stop.signal.aborted) throw error
    say(
      `\nThe batch continues. To wait for its results: ${later}\nTo cancel it: npm run plumbline -- batch --cancel ${id}`,
    )
    return 130
  } finally {
    process.off('SIGINT', interrupt)
  }
}
