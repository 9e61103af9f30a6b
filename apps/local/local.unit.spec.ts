import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type DocumentView, manualsCollection } from '@plumbline/contracts'
import { modelLines } from './models'
import {
  documentsToSend,
  readSample,
  removeMovedManuals,
  type SampleStore,
  sampleTenant,
  sendSample,
  waitForSample,
} from './sample'
import { checkPort, lockDataFolder } from './start-checks'
import { logLine, readyScreen } from './terminal'

const root = join(import.meta.dirname, '..', '..')
const signal = new AbortController().signal

it('names the taken port, who holds it, how to stop it, and another one to choose', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await expect(checkPort('127.0.0.1', port)).rejects.toThrow(
    new RegExp(`Port ${port} on 127\\.0\\.0\\.1 is taken[\\s\\S]*PORT=${port + 1} npm start`),
  )
  if (process.platform === 'linux')
    await expect(checkPort('127.0.0.1', port)).rejects.toThrow(
      new RegExp(`by process ${process.pid}: \\S[\\s\\S]*\\(kill ${process.pid}\\)`),
    )
  await new Promise((resolve) => server.close(resolve))
  await checkPort('127.0.0.1', port)
})

it('lets a stale mark of an earlier start go', () => {
  const dir = mkdtempSync(join(tmpdir(), 'plumbline-one-'))
  const release = lockDataFolder(dir, 'http://127.0.0.1:3000')
  lockDataFolder(dir, 'http://127.0.0.1:3000')
  release()
  rmSync(dir, { recursive: true })
})

it('brings planets and agent memory as one collection, and the manuals as another', () => {
  const { sample, manuals } = readSample(root)
  expect(sample.name).toBe('sample')
  expect(sample.documents.map(({ file }) => file)).toEqual(['sample/planets.md', 'sample/agent-memory.md'])
  expect(manuals.name).toBe(manualsCollection)
  expect(manuals.documents.map(({ file }) => file)).toEqual(
    expect.arrayContaining(['README.md', 'docs/understand/how-it-works.md', 'docs/reference/settings.md']),
  )
  expect(sample.description).not.toContain('Plumbline')
  expect(manuals.questions).toBeUndefined()
})

it('keeps the commands of the manuals, and leaves out what a transcript shows after one', () => {
  const text = readSample(root)
    .manuals.documents.map((document) => document.text)
    .join('\n')
  for (const command of [
    'npm run ingest -- ./papers --collection papers',
    '$ npm run ask -- "What is the length of day of Mars',
    `-d '{"question": "How many moons did Saturn have`,
  ])
    expect(text).toContain(command)
  for (const output of ['2 of 2 claims supported', '"status": "answered"', 'Known moons by year in'])
    expect(text).not.toContain(output)
})

it('sends only what is new, changed or unfinished', async () => {
  const { sample, manuals } = readSample(root)
  const documents = [...sample.documents, ...manuals.documents]
  const [first, second, third] = documents
  const view = (digest: string, status: DocumentView['status']) =>
    ({ status, metadata: { digest } }) as unknown as DocumentView
  expect(
    documentsToSend(
      [first!, second!, third!],
      [view(first!.digest, 'indexed'), view('older', 'indexed'), view(third!.digest, 'queued')],
    ),
  ).toEqual([second, third])

  const held = new Map<string, DocumentView>()
  const added: string[] = []
  const store: SampleStore = {
    document: (collection, file) => Promise.resolve(held.get(`${collection}/${file}`) ?? null),
    describe: () => Promise.resolve(),
    add: ({ file, digest }, collection) =>
      Promise.resolve(void (added.push(file), held.set(`${collection}/${file}`, view(digest, 'indexed')))),
    remove: (collection, file) => Promise.resolve(held.delete(`${collection}/${file}`)),
  }
  const send = (afresh: boolean) => sendSample({ ...sample, documents }, store, { afresh, signal })
  expect([await send(false), await send(false)]).toEqual([documents.length, 0])
  expect(added).toEqual(documents.map(({ file }) => file))
  expect(await send(true)).toBe(documents.length)

  await removeMovedManuals(sample, manuals, store)
  expect([...held.keys()]).toEqual(sample.documents.map(({ file }) => `sample/${file}`))
})

it('is there to be searched as its last version while a new one is read, but not in a new index', async () => {
  const { sample } = readSample(root)
  const states = [{ status: 'indexed' }, { status: 'queued', served: 'v1' }] as DocumentView[]
  const store = (views: (DocumentView | null)[]): SampleStore => ({
    document: (_, file) => Promise.resolve(views[sample.documents.findIndex((one) => one.file === file)] ?? null),
    describe: () => Promise.resolve(),
    add: () => Promise.resolve(),
    remove: () => Promise.resolve(),
  })
  const waits = (views: (DocumentView | null)[], afresh: boolean) =>
    waitForSample(sample, store(views), { afresh, tell: () => undefined, signal: AbortSignal.timeout(200) })
  await waits(states, false)
  await expect(waits(states, true)).rejects.toThrow()
  await expect(waits([states[0]!, null], false)).rejects.toThrow()
})

it('reads an app’s JSON line as a person would', () => {
  expect(
    logLine(
      'grader',
      '{"level":40,"time":1,"app":"grader","task":"generate.1","msg":"late","err":{"message":"gone","stack":"…"}}',
    ),
  ).toBe('[grader]     warn  late task="generate.1" err="gone"')
  expect(logLine('grader', 'plain words')).toBe('[grader]     plain words')
  expect(logLine('grader', '{broken')).toBe('[grader]     {broken')
  for (const line of ['\u001b[2Jred\u202e', JSON.stringify({ level: 30, msg: '\u001b[2Jred\u202e' })])
    expect(logLine('grader', line)).toMatch(/^\[grader\] +(info +)?red$/)
})

it('ends with where it listens and two ways to ask', () => {
  const ready = {
    url: 'http://127.0.0.1:3001',
    dataDir: '.data',
    uses: ['skills: offline', 'web search: off'],
    seconds: 3.21,
    keys: false,
  }
  const screen = readyScreen(ready, false)
  expect(screen).toContain('http://127.0.0.1:3001/docs')
  expect(screen).toContain('    skills: offline\n    web search: off\n')
  expect(screen).toContain('\n    npm run ask -- ')
  expect(readyScreen({ ...ready, dataDir: '.data-2' }, false)).toContain('    DATA_DIR=.data-2 npm run ask -- ')
  expect(screen).toContain(
    "curl -s http://127.0.0.1:3001/v1/runs -H 'content-type: application/json' -H 'prefer: wait=10' \\",
  )
  const locked = readyScreen({ ...ready, keys: true }, false)
  for (const words of [
    'Bearer <key>',
    '    PLUMBLINE_KEY=<key> npm run ask -- ',
    ' PLUMBLINE_KEY=<key> npm run ingest -- ',
  ])
    expect(locked).toContain(words)
})

describe('start-up lines about models', () => {
  const server = { name: 'Ollama', url: 'http://127.0.0.1:11434/v1', models: ['qwen3:4b', 'nomic-embed-text'] }

  it('without one is what answers are, and the command that uses a server of this machine', () => {
    expect(modelLines({ SKILL_MODELS: {} }, null)).toEqual([
      'No model is set up, so answers are quotes and table cells.',
    ])
    expect(modelLines({ SKILL_MODELS: {} }, server).slice(1)).toEqual([
      'Ollama runs on this machine. To use its model qwen3:4b (other models: nomic-embed-text), start with:',
      '  OPENAI_BASE_URL=http://127.0.0.1:11434/v1 MODEL_SMALL=qwen3:4b MODEL_STRONG=qwen3:4b npm start',
    ])
  })

  it('with one is what each skill does that has none', () => {
    expect(modelLines({ OPENAI_API_KEY: 'k', SKILL_MODELS: { answer: 'small' } }, null)).toEqual([])
    expect(modelLines({ OPENAI_API_KEY: 'k', SKILL_MODELS: { plan: 'strong', check: 'offline' } }, null)).toEqual([
      expect.stringMatching(/^check=offline: every written answer is held for review/),
    ])
  })
})

it.each([
  [undefined, 'default'],
  ['first-secret:acme:asker,second-secret:beta:admin', 'acme'],
  ['first-secret:acme:asker, second-secret:default:admin:hr+legal', 'default'],
])('puts the sample where keys %s will look for it: %s', (keys, tenant) => {
  expect(sampleTenant(keys)).toBe(tenant)
})
