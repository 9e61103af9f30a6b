import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { bodyLimits } from '@plumbline/gateway/http/body'
import { GatewayEnv } from '@plumbline/gateway/gateway.env'
import { bounds, usualAsksPerMinute, usualReadsPerMinute } from '@plumbline/gateway/settings'
import { Ask, NewDocument } from '@plumbline/contracts'
import { policies } from '@plumbline/flow'

const root = join(import.meta.dirname, '..', '..', '..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

/** Returns the value of a named constant in a source file. */
const named = (file: string, name: string): number => {
  const [, text] = new RegExp(`\\b${name}(?: =|:) ([\\d_]+(?: \\* [\\d_]+)*)`).exec(read(`libs/${file}`)) ?? []
  if (text === undefined) throw new Error(`${file} names no ${name}`)
  return text.split(' * ').reduce((product, factor) => product * Number(factor.replaceAll('_', '')), 1)
}
/** Asserts that `guess` is the largest size that a field accepts, and returns it. */
const mostOf = (takes: (size: number) => boolean, guess: number): number => {
  expect([takes(guess), takes(guess + 1)]).toEqual([true, false])
  return guess
}
const defaults = GatewayEnv.parse({})
const reading = (name: string): number => named('parsing/limits.ts', name)
const question = { question: 'what?' }
const seconds = (ms: number): string => `${(ms / 1_000).toLocaleString('en')} s`
const hours = (ms: number): string => `${ms / 3_600_000} h`
const days = (ms: number): string => `${ms / 86_400_000} days`

/** Returns the limits in the code, by the first words of their row in the docs table. */
const inCode = (): Record<string, string | number> => ({
  'Characters of a question': mostOf((size) => Ask.safeParse({ question: 'a'.repeat(size) }).success, 4_000),
  'Words of metadata': named('contracts/metadata.ts', 'mostWords'),
  'Access tags': mostOf((size) => Ask.safeParse({ ...question, access: Array(size).fill('a') }).success, 64),
  'Time of a run, by its ask': hours(mostOf((ms) => Ask.safeParse({ ...question, deadlineMs: ms }).success, 3_600_000)),
  'Time of a run, by its policy': seconds(policies.standard?.deadlineMs ?? 0),
  'How long a draft is held': days(policies.standard?.parkMs ?? 0),
  'Asks a minute of a tenant': usualAsksPerMinute['*'],
  'Reads a minute of a tenant': usualReadsPerMinute['*'],
  'Age of the oldest job': seconds(defaults.MAX_QUEUE_SECONDS * 1_000),
  '`Prefer: wait`': seconds(bounds.waitSeconds * 1_000),
  'An OpenAI or MCP client': seconds(defaults.CLIENT_WAIT_SECONDS * 1_000),
  'A question waits for its thread': seconds(bounds.threadMs),
  'Runs that a thread shows': bounds.threadRuns,
  'Turns that the router sees': named('gateway/runs/conversation.ts', 'mostTurns'),
  'Runs of a thread that are listed': named('adapters/redis/runs/threads.ts', 'mostListed'),
  'A thread is kept': days(named('adapters/redis/runs/threads.ts', 'leastKeptMs')),
  'A run is kept': hours(named('adapters/redis/runs/context.ts', 'retentionMs')),
  'A JSON body': `${bodyLimits.small / 2 ** 20} MB`,
  'A document as JSON, a batch': `${bodyLimits.document / 2 ** 20} MB`,
  'Characters of a text': mostOf(
    (size) => NewDocument.safeParse({ title: 'a', text: 'a'.repeat(size) }).success,
    10_000_000,
  ),
  'A body arrives': seconds(bounds.sendMs),
  'A file arrives': seconds(named('gateway/http/body.ts', 'longestMs')),
  'A file that is sent': `${defaults.MAX_FILE_MB} MB`,
  'A file that is read': `${reading('fileBytes') / 1e6} MB`,
  'Characters that are read': reading('textChars'),
  'Pages, slides or sheets': reading('pages'),
  'Time of reading': seconds(reading('timeMs')),
  'Time of OCR': seconds(reading('ocrMs')),
  'Memory of a reading process': `${reading('mostMemoryMb')} MB`,
  'Passages of a document': named('ingestor/index-passages.ts', 'mostPassages'),
  'Vectors of a document': `${named('ingestor/index-passages.ts', 'mostVectorBytes') / 1e6} MB`,
  'Event streams': bounds.streams,
  'A reader that takes nothing': seconds(bounds.slowReaderMs),
  'Lines of a batch': bounds.batchLines,
  'Lines under way': bounds.batchRuns,
  'Batches under way': named('features/batches/store/batches.ts', 'mostOpen'),
  'A page of a list': bounds.page.most,
  'Keys of a tenant': named('adapters/redis/api-keys/api-keys.ts', 'mostKeys'),
  'Sources of a tenant': named('features/sources/store/sources.ts', 'mostSources'),
  'Schedules of a tenant': named('features/schedules/store/schedules.ts', 'mostSchedules'),
  'Webhooks of a tenant': named('features/webhooks/store/webhooks.ts', 'mostWebhooks'),
  'Entries of the audit log': named('adapters/redis/audit/audit-log.ts', 'mostEntries'),
})

it('the largest file that a setting accepts is the largest that is read', () => {
  const accepts = (size: number): boolean => GatewayEnv.safeParse({ MAX_FILE_MB: `${size}` }).success
  expect(mostOf(accepts, reading('fileBytes') / 1e6)).toBe(100)
})

it('the page of limits tells what the code says, of each limit and of no other', () => {
  const limits = inCode()
  const [, table = ''] = /# Limits\n([^]*?)\n(?=##|$)/.exec(read('docs/reference/limits.md')) ?? []
  const rows = [...table.matchAll(/^\| ([^|]+?) \| ([^|]+?) \|/gm)]
    .slice(1)
    .map(([, what = '', most = '']) => [what, most])
  const told = rows.map(([what = '', most]) => [
    Object.keys(limits).find((begin) => what.startsWith(begin)) ?? what,
    most,
  ])
  const written = Object.entries(limits).map(([what, most]) => [what, most.toLocaleString('en')])
  expect(told).toEqual(written)
})
