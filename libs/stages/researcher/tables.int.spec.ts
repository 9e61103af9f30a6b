import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lexicalEmbedder } from '@plumbline/adapters/offline'
import { openSqlitePassageIndex } from '@plumbline/adapters/sqlite'
import type { Passage } from '@plumbline/contracts'
import { chunk, headed } from '@plumbline/knowledge/chunking'
import type { PassageIndex } from '@plumbline/ports/passage-index'
import { offlineSkills } from '@plumbline/skills/offline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { indexed } from '@plumbline/testing/indexed'
import { retrieve } from './retrieve'

const data = join(import.meta.dirname, '../../../../shared/data')
const never = new AbortController().signal
const call = { signal: never, tier: 'small', temperature: 0 } as const
const scope = { tenant: 't', collections: ['main'], filters: {}, access: 'all' as const }
const read = (file: string): string => readFileSync(join(data, file), 'utf8')
const rows = <Row>(file: string): Row[] =>
  read(file)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row)

type Question = { question: string; doc: string; parts: { table: string | null }[] }
type Loose = { id: string; title: string; text: string }

if (!existsSync(data)) process.stderr.write('SKIPPED: retrieval of tables needs ../shared/data\n')
describe.skipIf(!existsSync(data))('retrieval of tables', () => {
  let folder: string
  let index: PassageIndex
  const write = async (id: string, passages: Passage[]): Promise<void> => {
    const vectors = await lexicalEmbedder.embed(passages.map(headed), never)
    await index.write(
      't',
      indexed(id, 'main', lexicalEmbedder),
      passages.map((passage, at) => ({ passage, vector: vectors[at]! })),
      never,
    )
  }
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plumbline-tables-'))
    index = await openSqlitePassageIndex({ file: join(folder, 'index.sqlite') })
    const regions = { id: 'regions', collection: 'main', title: 'Cloud region carbon' }
    await write(
      'regions',
      chunk(regions, { markup: 'markdown', parts: [{ text: read('table_qa/docs/google-cloud-region-carbon.md') }] }),
    )
    await write(
      'others',
      rows<Loose>('retrieval/hotpotqa/corpus.jsonl').flatMap(({ id, title, text }) =>
        chunk({ id, title, collection: 'main' }, { markup: 'text', parts: [{ text }] }),
      ),
    )
  })
  afterAll(async () => {
    await index.close()
    await rm(folder, { recursive: true })
  })

  const headingsFor = async (question: string): Promise<string[]> => {
    const more = await offlineSkills.writeQueries({ question, count: 2 }, call)
    const { passages } = await retrieve(
      { index, embedder: lexicalEmbedder, reranker: null },
      { scope, queries: [question, ...more], signal: never },
    )
    return passages.map(({ headingPath }) => headingPath.at(-1) ?? '')
  }

  it('finds every table a question needs, among a thousand other passages', async () => {
    const questions = rows<Question>('table_qa/questions.jsonl').filter(
      ({ doc, parts }) => doc.startsWith('google-cloud-region-carbon') && parts.every(({ table }) => table),
    )
    const missed: string[] = []
    for (const { question, parts } of questions) {
      const { steps } = await offlineSkills.plan({ question, maxSteps: 4 }, call)
      const found = (await Promise.all(steps.map((step) => headingsFor(step.question)))).flat()
      const lacking = [...new Set(parts.map(({ table }) => table ?? ''))].filter(
        (table) => !found.some((heading) => heading.startsWith(`${table}.`)),
      )
      if (lacking.length > 0) missed.push(`${question} → ${lacking.join()} not in ${found.join(' | ')}`)
    }
    process.stdout.write(
      `tables found: ${questions.length - missed.length}/${questions.length}${missed.map((one) => `\n  ${one}`).join('')}\n`,
    )
    expect(questions.length).toBeGreaterThan(30)
    expect(missed).toEqual([])
  })
})
