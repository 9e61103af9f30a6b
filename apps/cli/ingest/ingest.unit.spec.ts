import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { DocumentView } from '@plumbline/contracts'
import { plain } from '../render/text'
import { readIngestArgs } from './args'
import type { UploadResult } from './upload'
import { findFiles } from './find-files'
import { openProgress, taskText } from './progress'
import { skippedLines, summaryLines } from './summary'

const screen = { paint: plain, width: 90 }
afterEach(() => vi.useRealTimers())

describe('what is typed', () => {
  const options = (words: string[], env = {}) => {
    const command = readIngestArgs(words, env, null)
    if (command.kind !== 'ingest') throw new Error(command.kind === 'fault' ? command.message : 'help')
    return command.options
  }

  it('names places, a collection, metadata and tags', () => {
    expect(
      options([
        'a',
        'https://example.org/b',
        '--collection',
        'papers',
        '--metadata',
        'year=2024',
        '--metadata',
        'note=a=b',
        '--access',
        'staff',
        '--concurrency',
        '8',
      ]),
    ).toEqual({
      places: ['a', 'https://example.org/b'],
      collection: 'papers',
      metadata: { year: '2024', note: 'a=b' },
      access: ['staff'],
      concurrency: 8,
      dryRun: false,
      prune: false,
      watch: false,
      yes: false,
      json: false,
      named: false,
      url: 'http://127.0.0.1:3000',
    })
    expect(options(['a'], { PORT: '4000', PLUMBLINE_KEY: 'k' })).toMatchObject({
      collection: 'default',
      concurrency: 8,
      url: 'http://127.0.0.1:4000',
      key: 'k',
    })
  })

  it('reads the key from a file that the environment names', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plumbline-key-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = join(folder, 'key')
    await writeFile(file, 'k\n')
    expect(options(['a'], { PLUMBLINE_KEY_FILE: file })).toMatchObject({ key: 'k' })
    expect(readIngestArgs(['a'], { PLUMBLINE_KEY_FILE: file, PLUMBLINE_KEY: 'l' }, null)).toMatchObject({
      kind: 'fault',
      message: expect.stringContaining('is also set by'),
    })
  })

  it.each([
    [[], 'Give a folder'],
    [['a', '--metadata', 'year'], 'key=value'],
    [['a', '--concurrency', '0'], 'from 1 to 32'],
    [['rm'], 'Give the names or ids of the documents to remove'],
    [['a', '--watch', '--json'], 'omit --watch'],
    [['a', '--url', 'localhost'], 'http://host:port'],
    [['a', '--colection', 'x'], '--colection'],
    [['a', '--collection', 'My Papers'], '--collection: use at most 63 characters: lower-case'],
    [['a', '--access', 'all of us'], '--access: use at most 64 characters: letters'],
    [['a', '--metadata', `${'k'.repeat(65)}=v`], '--metadata: use names of at most 64 characters'],
  ])('%j is a fault that says how to write it', (words, says) => {
    expect(() => options(words)).toThrow(says)
  })
})

/** Runs `work` as an unprivileged user, because root may read every folder. */
const asNobody = async <T>(work: () => Promise<T>): Promise<T> => {
  const mayAll = process.geteuid?.() === 0
  if (mayAll) process.seteuid?.(65_534)
  try {
    return await work()
  } finally {
    if (mayAll) process.seteuid?.(0)
  }
}

describe('what is found', () => {
  let folder: string
  const put = async (name: string, text = 'x'): Promise<void> => {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plumbline-find-'))
    for (const name of [
      'b.md',
      'a.pdf',
      'deep/er/c.XLSX',
      'deep/d.unknown',
      'noending',
      '.hidden.md',
      '.git/e.md',
      'node_modules/f.md',
    ])
      await put(name)
    await put('empty.txt', '')
    execFileSync('mkfifo', [join(folder, 'pipe.md')])
    await symlink(join(folder, 'pipe.md'), join(folder, 'to-pipe.md'))
    await symlink(folder, join(folder, 'circle'))
    await symlink(join(folder, 'gone.md'), join(folder, 'broken.md'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('goes by its path in the folder; hidden folders, tools’ folders and circles are passed over', async () => {
    const { found, leftOut: out } = await findFiles([folder])
    expect(found.map((one) => [one.name, one.kind === 'file' && one.format])).toEqual([
      ['a.pdf', 'pdf'],
      ['b.md', 'markdown'],
      ['deep/er/c.XLSX', 'xlsx'],
    ])
    expect(out).toEqual([
      { name: 'broken.md', why: 'broken link' },
      { name: 'circle', why: 'link to a folder' },
      { name: 'deep/d.unknown', why: '.unknown' },
      { name: 'empty.txt', why: 'empty' },
      { name: 'noending', why: 'no extension' },
      { name: 'pipe.md', why: 'not a file' },
      { name: 'to-pipe.md', why: 'not a file' },
    ])
    expect(skippedLines({ found, leftOut: out.slice(2, 5) }, screen)).toEqual([
      '3 skipped: 1 .unknown, 1 empty, 1 no extension',
      '  deep/d.unknown, empty.txt, noending',
    ])
  })

  it('leaves out a folder that may not be looked into', async () => {
    await put('closed/g.md')
    await chmod(folder, 0o755)
    await chmod(join(folder, 'closed'), 0)
    const { found, leftOut: out } = await asNobody(() => findFiles([folder]))
    expect(found.map(({ name }) => name)).toEqual(['a.pdf', 'b.md', 'deep/er/c.XLSX'])
    expect(out).toContainEqual({ name: 'closed/', why: 'unreadable' })
    expect(await asNobody(() => findFiles([join(folder, 'closed')]))).toEqual({
      found: [],
      leftOut: [{ name: './', why: 'unreadable' }],
    })
    await rm(join(folder, 'closed'), { recursive: true })
  })

  it('may be a file or a page of the web, and two of one name are refused', async () => {
    const { found } = await findFiles([join(folder, 'b.md'), 'https://example.org/b.md'])
    expect(found.map(({ kind, name }) => [kind, name])).toEqual([
      ['file', 'b.md'],
      ['url', 'https://example.org/b.md'],
    ])
    expect((await findFiles([folder, join(folder, 'deep/er/../../b.md')])).found.map(({ name }) => name)).toEqual([
      'a.pdf',
      'b.md',
      'deep/er/c.XLSX',
    ])
    await put('other/b.md')
    await put('other/ b.md')
    await put('turned/b.md')
    await put('turned/b\u202e.md')
    await expect(findFiles([join(folder, 'b.md'), join(folder, 'other/b.md')])).rejects.toThrow(
      'would get the same name b.md',
    )
    for (const place of ['other', 'turned'])
      await expect(findFiles([join(folder, place)])).rejects.toThrow('would get the same name b.md')
    await rm(join(folder, 'other'), { recursive: true })
    await expect(findFiles([join(folder, 'nowhere')])).rejects.toThrow('The file or folder')
  })
})

const view = (over: Partial<DocumentView>): DocumentView => ({
  id: 'd1',
  title: 'T',
  collection: 'c',
  status: 'processing',
  progress: { passages: 0, percent: 0 },
  createdAt: '',
  updatedAt: '',
  ...over,
})
const result = (over: Partial<UploadResult>): UploadResult => ({
  name: 'a.pdf',
  format: 'pdf',
  outcome: 'new',
  pages: 3,
  passages: 12,
  notes: [],
  ...over,
})

/** Returns all lines that were written to the terminal, without the control sequences that move the cursor. */
const drawnLines = (written: string[]): string[] =>
  written.flatMap((text) => text.replace(/\x1b\[\??\d*[A-Zhl]/g, '').split('\n')).filter((line) => line !== '')

describe('reports meanwhile', () => {
  it('says which task a document is in and how far', () => {
    expect(taskText(view({ status: 'queued' }))).toBe('waits')
    expect(taskText(view({ task: 'parse', progress: { passages: 0, percent: 12.4, pages: 3, ofPages: 24 } }))).toBe(
      'parse · page 3 of 24 · 12 %',
    )
    expect(taskText(view({ task: 'embed', progress: { passages: 40, percent: 60 } }))).toBe(
      'embed · 40 passages · 60 %',
    )
  })

  it('is one line per document if the output is not a terminal', () => {
    const lines: string[] = []
    const progress = openProgress(3, { write: (text) => lines.push(text) }, screen)
    progress.onUpdate('a.pdf', view({ task: 'parse' }))
    progress.onWait('the gateway is busy')
    progress.onWait('the gateway is busy')
    progress.onResult(result({}))
    progress.onResult(result({ name: 'b.md', outcome: 'unchanged' }))
    progress.onResult(result({ name: 'c.pdf', outcome: 'failed', error: 'It is cut off.', page: 3 }))
    progress.close()
    expect(lines.join('')).toBe(
      '  … the gateway is busy\n  [1/3] a.pdf: 3 pages, 12 passages\n  [2/3] b.md: unchanged\n  [3/3] FAILED c.pdf: page 3: It is cut off.\n',
    )
  })

  it('is a bar at a terminal, redrawn in place and gone at the end', () => {
    const written: string[] = []
    const progress = openProgress(2, { write: (text) => written.push(text), isTTY: true, columns: 80 }, screen)
    progress.onUpdate('a.pdf', view({ task: 'embed', progress: { passages: 40, percent: 50 } }))
    progress.onResult(result({}))
    progress.close()
    expect(written[0]).toMatch(/^\x1b\[\?7l {2}░+ {2}0 of 2 · 0 % · 0 passages\x1b\[\?7h\n$/)
    expect(written[1]).toMatch(
      /^\x1b\[1A\x1b\[J\x1b\[\?7l {2}✓ a\.pdf +3 pages, 12 passages\n {2}█+░+ {2}1 of 2 · 50 % · 12 passages\x1b\[\?7h\n$/,
    )
    expect(written[2]).toBe('\x1b[1A\x1b[J')
    expect(drawnLines(written)).toHaveLength(3)
    for (const line of drawnLines(written)) expect(line.length).toBeLessThan(80)
  })

  it('says on a line of its own what it waits for, and lets the terminal break no line in two', () => {
    vi.useFakeTimers()
    const written: string[] = []
    const progress = openProgress(1_000, { write: (text) => written.push(text), isTTY: true, columns: 60 }, screen)
    progress.onUpdate('報告書'.repeat(30), view({ task: 'parse' }))
    progress.onWait('the gateway does not answer')
    vi.advanceTimersByTime(100)
    progress.close()
    expect(written[1]?.split('\n').at(-2)).toBe('    … the gateway does not answer\x1b[?7h')
    for (const text of written.slice(0, -1)) expect(text).toMatch(/^(\x1b\[\dA\x1b\[J)?\x1b\[\?7l[^]*\x1b\[\?7h\n$/)
    expect(written.at(-1)).toBe('\x1b[3A\x1b[J')
    for (const line of drawnLines(written)) expect(line.length).toBeLessThan(60)
  })
})

describe('results', () => {
  it('is a table by format, what is worth knowing, and every failure with its page and reason', () => {
    const all = [
      result({ notes: ['No text on pages 3-7.'] }),
      result({
        outcome: 'failed',
        name: 'b.pdf',
        passages: 0,
        pages: 0,
        error: 'The file ends before its last page. Bring it again whole.',
        page: 4,
      }),
      result({ format: 'markdown', name: 'c.md', outcome: 'unchanged', pages: 0 }),
      result({ format: 'markdown', name: 'd.md', outcome: 'replaces', pages: 0, passages: 1_200 }),
    ]
    expect(summaryLines(all, screen)).toEqual([
      '',
      '  format     files   pages  passages   added  replaced  unchanged  failed',
      '  markdown       2       ·     1,212       ·         1          1       ·',
      '  pdf            2       3        12       1         ·          ·       1',
      '  all            4       3     1,224       1         1          1       1',
      '',
      'Warnings',
      '  ! a.pdf: No text on pages 3-7.',
      '',
      '1 document failed',
      '  ✗ b.pdf, page 4',
      '      The file ends before its last page. Bring it again whole.',
      '',
    ])
  })
})
