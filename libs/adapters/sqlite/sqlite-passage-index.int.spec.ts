import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { stem } from '@plumbline/knowledge/text'
import { passageIndexContract } from '@plumbline/ports/passage-index/passage-index.contract'
import {
  onlyMethod,
  type IndexedPassage,
  type PassageIndex,
  type SearchMethods,
} from '@plumbline/ports/passage-index/passage-index'
import { tenantsContract } from '@plumbline/ports/passage-index/tenants.contract'
import { afterAll, describe, expect, it } from 'vitest'
import { openSqlitePassageIndex } from './sqlite-passage-index'

const folder = await mkdtemp(join(tmpdir(), 'plumbline-sqlite-'))
afterAll(() => rm(folder, { recursive: true }))
const file = (name: string): string => join(folder, `${name}.sqlite`)
const never = new AbortController().signal
const scope = { tenant: 't', collections: ['main'], filters: {}, access: 'all' as const }
const described = (id: string, space = 'model') => ({
  id,
  collection: 'main',
  version: '1',
  metadata: {},
  access: [],
  space,
})
const find = (index: PassageIndex, text: string, values: Float32Array, ways: SearchMethods, space = 'model') =>
  index.search(scope, { text, vector: { space, values } }, ways, never)
const words = (k: number): SearchMethods => onlyMethod('bm25', { k })
const nearest = (k: number): SearchMethods => onlyMethod('similarity', { k })

const entry = (documentId: string, position: number, text: string, vector: Float32Array): IndexedPassage => ({
  passage: {
    id: `${documentId}.${position}`,
    documentId,
    collection: 'main',
    title: documentId,
    text,
    headingPath: [],
    position,
  },
  vector,
})

passageIndexContract('sqlite', () => openSqlitePassageIndex({ file: file('contract') }))
tenantsContract('sqlite', () => openSqlitePassageIndex({ file: file('tenants') }))

/** Starts a process that writes and reads the file through the thread's protocol. Returns the errors that it prints. */
const otherProcess = (path: string, own: number): Promise<string> => {
  const code = `
    import { Worker } from 'node:worker_threads'
    const worker = new Worker(${JSON.stringify(join(import.meta.dirname, 'passages.thread.ts'))}, { workerData: { file: ${JSON.stringify(path)} }, execArgv: ['--import', ${JSON.stringify(new URL('../../parsing/child/from-source.mjs', import.meta.url).href)}] })
    const scope = { tenant: 't', collections: ['main'], filters: {}, access: 'all' }
    const vector = new Uint8Array(new Float32Array(8).fill(1).buffer)
    const passage = (documentId) => JSON.stringify({ id: ${own} + '-' + (made += 1), documentId })
    const row = (documentId) => ({ passage: passage(documentId), position: 0, title: 'title', headings: '', text: 'flint', vector })
    const write = (id) => ['write', ['t', { id, collection: 'main', version: '1', metadata: {}, access: [], space: 'model:8' }, [row(id), row(id), row(id)]]]
    let open = 0
    let made = 0
    const call = (call, args) => worker.postMessage({ id: ++open, call, args })
    let left = 0
    worker.on('error', (error) => console.log(error.message))
    worker.on('message', (answer) => {
      if (!answer.ok) console.log(answer.code, answer.message)
      if (answer.ok && Array.isArray(answer.value) && answer.value.length % 3 !== 0) console.log('half a document:', answer.value.length)
      if (--left === 0) worker.postMessage({ id: 0, call: 'close', args: [] })
    })
    const calls = []
    for (let n = 0; n < 40; n += 1) {
      calls.push(write('d' + (n % 5) + '-' + ${own}), write('shared'))
      calls.push(['matching', [scope, '"flint"', 1000]], ['similar', [scope, 'model:8', vector, 1000]], ['count', [scope]])
      if (n % 7 === 0) calls.push(['remove', ['t', 'shared']])
    }
    left = calls.length
    for (const [name, args] of calls) call(name, args)
  `
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: import.meta.dirname,
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => void (said += chunk.toString()))
    child.once('error', reject)
    child.once('exit', (status) =>
      resolve(
        status === 0
          ? said.replace(/^.*ExperimentalWarning.*$|^\(Use .*$/gm, '').trim()
          : `ended with ${status}: ${said}`,
      ),
    )
  })
}

describe('one file, several processes', () => {
  it('is created, written and read by four processes at once, without an error or a partial document', async () => {
    const said = await Promise.all([1, 2, 3, 4].map((own) => otherProcess(file('shared'), own)))
    expect(said).toEqual(['', '', '', ''])
    const index = await openSqlitePassageIndex({ file: file('shared') })
    const held = await find(index, 'flint', new Float32Array(8), words(1_000))
    expect(held.length).toBe(await index.count(scope, never))
    expect([60, 63]).toContain(held.length)
    await index.close()
  })

  it('keeps its documents over a restart', async () => {
    const first = await openSqlitePassageIndex({ file: file('kept') })
    await first.write('t', described('d'), [entry('d', 0, 'granite', new Float32Array(8).fill(1))], never)
    await first.close()
    const second = await openSqlitePassageIndex({ file: file('kept') })
    expect(await second.count(scope, never)).toBe(1)
    await second.close()
  })
})

describe('the changes of another process', () => {
  it('are visible to the next search, both writes and removals', async () => {
    const [reader, writer] = [
      await openSqlitePassageIndex({ file: file('noticed') }),
      await openSqlitePassageIndex({ file: file('noticed') }),
    ]
    const toward = (axis: number): Float32Array => new Float32Array(8).with(axis, 1)
    const put = (id: string, text: string, axis: number) =>
      writer.write('t', described(id), [entry(id, 0, text, toward(axis))], never)
    const found = async (axis: number): Promise<string[]> =>
      (await find(reader, 'granite', toward(axis), nearest(2))).map(({ passage }) => passage.text)
    await put('a', 'first', 0)
    await put('b', 'second', 1)
    expect(await found(0)).toEqual(['first', 'second'])
    await put('c', 'third', 2)
    expect(await found(2)).toEqual(['third', 'first'])
    await put('a', 'first again', 3)
    expect(await found(3)).toEqual(['first again', 'second'])
    await writer.remove('t', 'b', never)
    expect((await found(1)).toSorted()).toEqual(['first again', 'third'])
    await Promise.all([reader.close(), writer.close()])
  })

  it('are visible to a reader that missed removals which are no longer stored', { timeout: 60_000 }, async () => {
    const reader = await openSqlitePassageIndex({ file: file('missed') })
    await reader.write('t', described('gone'), [entry('gone', 0, 'gone', new Float32Array(8).fill(1))], never)
    await reader.write('t', described('kept'), [entry('kept', 0, 'kept', new Float32Array(8).fill(1))], never)
    expect(await find(reader, '', new Float32Array(8).fill(1), nearest(5))).toHaveLength(2)
    await reader.remove('t', 'gone', never)
    const other = new DatabaseSync(file('missed'))
    other.exec('DELETE FROM removals; INSERT INTO removals (nth, document) VALUES (100000, 99)')
    other.close()
    expect(
      (await find(reader, '', new Float32Array(8).fill(1), nearest(5))).map(({ passage }) => passage.text),
    ).toEqual(['kept'])
    await reader.close()
  })
})

describe('a long write', () => {
  it('does not keep other processes from opening and reading the file', async () => {
    const first = await openSqlitePassageIndex({ file: file('long') })
    await first.write('t', described('d'), [entry('d', 0, 'granite', new Float32Array(8).fill(1))], never)
    await first.close()
    const other = new DatabaseSync(file('long'))
    other.exec('BEGIN IMMEDIATE')
    const index = await openSqlitePassageIndex({ file: file('long') })
    expect(
      await find(index, 'granite', new Float32Array(8).fill(1), { ...words(1), similarity: { k: 1, weight: 1 } }),
    ).toHaveLength(1)
    other.exec('ROLLBACK')
    other.close()
    await index.close()
  })
})

describe('an index of the previous version', () => {
  it('can be searched at once, and its terms are renewed one document at a time', async () => {
    const vector = new Float32Array(8).fill(1)
    const path = file('older-terms')
    const written = await openSqlitePassageIndex({ file: path })
    const texts = { one: 'Node 22.0.0 runs', two: 'Node was released on 2026-10-20' }
    for (const [id, text] of Object.entries(texts))
      await written.write('t', described(id), [entry(id, 0, text, vector)], never)
    await written.close()
    const before = new DatabaseSync(path)
    const keys = before
      .prepare('SELECT key FROM passages ORDER BY key')
      .all()
      .map(({ key }) => Number(key))
    before.exec('DROP TABLE forms; DROP TABLE filling; DROP TABLE filled')
    before.prepare('DELETE FROM words_1 WHERE rowid IN (?, ?)').run(...keys)
    const add = before.prepare('INSERT INTO words_1 (rowid, title, headings, text) VALUES (?, ?, ?, ?)')
    add.run(keys[0]!, 'one', '', ['node', '22.0.0', 'runs'].map(stem).join(' '))
    add.run(keys[1]!, 'two', '', ['node', 'was', 'released', 'on', '2026', '10', '20'].map(stem).join(' '))
    before.close()

    const index = await openSqlitePassageIndex({ file: path })
    const found = async (text: string) =>
      (await find(index, text, vector, words(5))).map(({ passage }) => passage.documentId).sort()
    expect(await found('node')).toEqual(['one', 'two'])
    expect([await found('Node 22.0.0'), await found('20'), await found('version 22')]).toEqual([
      ['one', 'two'],
      ['two'],
      [],
    ])
    expect([await index.renewOne?.(never), await index.renewOne?.(never), await index.renewOne?.(never)]).toEqual([
      ...[true, true, false],
    ])
    expect([await found('node'), await found('20'), await found('version 22')]).toEqual([['one', 'two'], [], ['one']])
    await index.write('t', described('one'), [entry('one', 0, 'granite', vector)], never)
    expect([await index.renewOne?.(never), await found('22')]).toEqual([false, []])
    await index.close()
  })
})

it('renews a document once if its terms are of an earlier form', async () => {
  const path = file('earlier-form')
  const written = await openSqlitePassageIndex({ file: path })
  await written.write('t', described('one'), [entry('one', 0, 'Node 20.11', new Float32Array(8).fill(1))], never)
  expect(await written.renewOne?.(never)).toBe(false)
  await written.close()
  const before = new DatabaseSync(path)
  before.exec('UPDATE forms SET form = form - 1')
  before.close()
  const index = await openSqlitePassageIndex({ file: path })
  expect([await index.renewOne?.(never), await index.renewOne?.(never)]).toEqual([true, false])
  await index.close()
})

describe('the SQLite index', () => {
  it('reports a file that another version made', async () => {
    for (const [name, age, statement] of [
      ['first', 'older', 'CREATE TABLE documents (key INTEGER PRIMARY KEY)'],
      ['second', 'older', 'CREATE TABLE documents (key INTEGER PRIMARY KEY); PRAGMA user_version = 2'],
      ['future', 'newer', 'PRAGMA user_version = 1000'],
    ] as const) {
      const made = new DatabaseSync(file(name))
      made.exec(statement)
      made.close()
      await expect(openSqlitePassageIndex({ file: file(name) })).rejects.toThrow(
        new RegExp(
          `${name}\\.sqlite cannot be opened: an? ${age} version of this program created it\\. Move the file away`,
        ),
      )
    }
  })

  it('reports a file that is not an index', async () => {
    await writeFile(file('broken'), 'no database at all, and long enough to be looked at'.repeat(50))
    await expect(openSqlitePassageIndex({ file: file('broken') })).rejects.toThrow(
      /broken\.sqlite cannot be opened: file is not a database\. Move the file away/,
    )
  })

  it('never compares vectors of different embedders', async () => {
    const vector = new Float32Array(8).fill(1)
    const index = await openSqlitePassageIndex({ file: file('names') })
    await index.write('t', described('d', 'one'), [entry('d', 0, 'granite', vector)], never)
    expect(await find(index, '', vector, nearest(5), 'one')).toHaveLength(1)
    expect(await find(index, '', vector, nearest(5), 'two')).toEqual([])
    expect(await find(index, 'granite', vector, words(5), 'two')).toHaveLength(1)
    await index.close()
  })

  it('can be closed twice and used again afterwards', async () => {
    const index = await openSqlitePassageIndex({ file: file('closed') })
    await Promise.all([index.close(), index.close()])
    await index.close()
    expect(await index.count(scope, never)).toBe(0)
    await index.close()
  })
})

describe('size', () => {
  it('searches ten times as many passages at no more than twenty times the cost', { timeout: 120_000 }, async () => {
    const dimensions = 512
    const vocabulary = Array.from({ length: 3_000 }, (_, at) => `word${at.toString(36)}`)
    const random = (
      (state) => () =>
        (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31
    )(7)
    const vector = (): Float32Array => Float32Array.from({ length: dimensions }, () => random() - 0.5)
    const text = (): string =>
      Array.from({ length: 100 }, () => vocabulary[Math.floor(random() ** 2 * vocabulary.length)]).join(' ')
    const index = await openSqlitePassageIndex({ file: file('size') })
    const cost = async (call: () => Promise<unknown>): Promise<number> => {
      const times: number[] = []
      for (let at = 0; at < 15; at += 1) {
        const began = performance.now()
        await call()
        times.push(performance.now() - began)
      }
      return Math.min(...times)
    }
    const measure = async () => {
      const query = Array.from({ length: 8 }, () => vocabulary[Math.floor(random() * vocabulary.length)]).join(' ')
      return {
        similar: await cost(() => find(index, '', vector(), nearest(20))),
        diverse: await cost(() => find(index, '', vector(), onlyMethod('mmr', { k: 10, fetch: 40, lambda: 0.7 }))),
        matching: await cost(() => find(index, query, vector(), words(20))),
      }
    }
    const fill = async (from: number, to: number): Promise<void> => {
      for (let at = from; at < to; at += 100)
        await index.write(
          't',
          described(`d${at}`),
          Array.from({ length: 100 }, (_, nth) => entry(`d${at}`, nth, text(), vector())),
          never,
        )
    }
    await fill(0, 1_000)
    const small = await measure()
    const began = performance.now()
    await fill(1_000, 10_000)
    const perPassage = (performance.now() - began) / 9_000
    const large = await measure()
    const row = Object.entries(large).map(
      ([way, ms]) => `${way} ${ms.toFixed(1)} ms (×${(ms / small[way as keyof typeof small]).toFixed(1)})`,
    )
    process.stdout.write(
      `sqlite, 10,000 passages beside 1,000: ${row.join(' | ')} | write ${perPassage.toFixed(2)} ms a passage\n`,
    )
    for (const way of ['similar', 'diverse', 'matching'] as const)
      expect(large[way] / Math.max(small[way], 1)).toBeLessThan(20)
    await index.close()
  })
})
