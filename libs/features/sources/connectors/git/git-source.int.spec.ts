import { mkdir, readdir, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { GitSettings } from '@plumbline/contracts'
import type { DocumentSource } from '@plumbline/ports/document-source'
import { documentSourceContract, itemsOf, listAll, textOf } from '@plumbline/ports/document-source.contract'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { allowedTargets } from '@plumbline/adapters/fetching/target'
import { openSource } from '../open-source'
import type { SourceOptions } from '../base/options'
import { createRepository, startGitServer } from '../spec/git-server'

documentSourceContract('git', async () => {
  const server = await startGitServer()
  const { put, remove, folder } = await createRepository(server.root, 'docs')
  return {
    put,
    remove,
    makeFolder: async (path) => void (await mkdir(join(folder, path))),
    breaks: 'before a list',
    // Sends the beginning of the answer, and then breaks the connection.
    breakDown: async () =>
      server.answerInstead((request, response) => {
        if (request.method !== 'POST') return false
        response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-result' })
        response.write('0008NAK\n', () => response.destroy())
        return true
      }),
    mend: async () => server.answerInstead(() => false),
    open: (limits = {}) =>
      openSource({ kind: 'git', url: `${server.url}/docs/.git` }, { allowed: allowedTargets([server.host]), limits }),
    close: server.close,
  }
})

describe('a repository', () => {
  const never = new AbortController().signal
  let server: Awaited<ReturnType<typeof startGitServer>>
  let docs: Awaited<ReturnType<typeof createRepository>>
  beforeAll(async () => {
    server = await startGitServer()
    docs = await createRepository(server.root, 'docs')
    await docs.put('a.md', 'a')
    await docs.put('guides/b.md', 'b')
    await docs.git('branch', 'old')
    await docs.put('guides/c.md', 'c')
  })
  afterEach(() => {
    server.answerInstead(() => false)
    server.asked.length = 0
  })
  afterAll(() => server.close())
  const opened: DocumentSource[] = []
  afterEach(async () => void (await Promise.all(opened.splice(0).map((source) => source.close()))))
  const open = async (
    settings: Partial<GitSettings> = {},
    more: Partial<SourceOptions> = {},
  ): Promise<DocumentSource> => {
    const source = await openSource(
      { kind: 'git', url: `${server.url}/docs/.git`, ...settings },
      { allowed: allowedTargets([server.host]), ...more },
    )
    opened.push(source)
    return source
  }
  const pathsOf = async (source: DocumentSource): Promise<string[]> =>
    itemsOf(await listAll(source)).map(({ path }) => path)

  it('is listed by branch and folder', async () => {
    expect(await pathsOf(await open())).toEqual(['a.md', 'guides/b.md', 'guides/c.md'])
    expect(await pathsOf(await open({ branch: 'old' }))).toEqual(['a.md', 'guides/b.md'])
    const below = await open({ path: '/guides/' })
    expect(await pathsOf(below)).toEqual(['b.md', 'c.md'])
    expect(await textOf(below, { path: 'b.md', version: '' })).toBe('b')
  })

  it('reports links and submodules as skipped, and ignores hidden files', async () => {
    const odd = await createRepository(server.root, 'odd')
    await odd.put('.github/x.md', 'x')
    await odd.put('a\nb.md', 'odd')
    await odd.put('real.md', 'real')
    await symlink('/etc/passwd', join(odd.folder, 'out.md'))
    await odd.git('add', 'out.md')
    const head = await odd.git('rev-parse', 'HEAD')
    await odd.git('update-index', '--add', '--cacheinfo', `160000,${head},module`)
    await odd.git('commit', '-q', '-m', 'odd')
    const source = await open({ url: `${server.url}/odd/.git` })
    const all = await listAll(source)
    expect(itemsOf(all).map(({ path }) => path)).toEqual(['a b.md', 'real.md'])
    expect(all.flatMap((one) => (one.kind === 'skipped' ? [one.path] : []))).toEqual(['module', 'out.md'])
    expect(await textOf(source, itemsOf(all)[0]!)).toBe('odd')
    for (const path of ['out.md', 'module']) expect(await source.read({ path, version: '' }, never)).toBeNull()
  })

  it.each(['..', '.git', '.GIT', 'a\\..\\b'])('with a file that is called %j is not read at all', async (name) => {
    const bad = await createRepository(server.root, `bad-${Math.random().toString(36).slice(2)}`)
    await bad.put('a.md', 'a')
    const oid = Buffer.from(await bad.git('rev-parse', 'HEAD:a.md'), 'hex')
    const tree = await bad.writeObject('tree', Buffer.concat([Buffer.from(`100644 ${name}\0`), oid]))
    const commit = await bad.git('commit-tree', '-m', 'bad', tree)
    await bad.git('update-ref', 'refs/heads/main', commit)
    await expect(listAll(await open({ url: `${server.url}/${basename(bad.folder)}/.git` }))).rejects.toMatchObject({
      code: 'source.unreadable',
      words: expect.stringContaining('leads out of the repository or into the .git folder') as string,
    })
  })

  it('that requires a login gets the token only if the source has credentials', async () => {
    const credentials = { team: { url: server.url, token: 'secret', username: 'robot' } }
    const wanted = `Basic ${Buffer.from('robot:secret').toString('base64')}`
    server.answerInstead((request, response) => {
      if (request.headers.authorization === wanted) return false
      response.writeHead(401, { 'www-authenticate': 'Basic' }).end()
      return true
    })
    expect(await pathsOf(await open({ credentials: 'team' }, { credentials }))).toHaveLength(3)
    await expect(listAll(await open())).rejects.toMatchObject({ code: 'source.no-access', retry: 'never' })
  })

  it('that redirects is followed on the same server only, and another server never receives the token', async () => {
    const other = await startGitServer()
    const credentials = { team: { url: server.url, token: 'secret' } }
    server.answerInstead((request, response) => {
      if (!request.url?.startsWith('/moved')) return false
      const to = request.url.startsWith('/moved-far') ? other.url : server.url
      response.writeHead(301, { location: `${to}/docs/.git/info/refs?service=git-upload-pack` }).end()
      return true
    })
    expect(await pathsOf(await open({ url: `${server.url}/moved` }))).toHaveLength(3)
    const far = await open(
      { url: `${server.url}/moved-far`, credentials: 'team' },
      { credentials, allowed: allowedTargets([server.host, other.host]) },
    )
    await expect(listAll(far)).rejects.toMatchObject({
      code: 'source.not-found',
      words: expect.stringContaining(other.host) as string,
    })
    expect(other.asked).toEqual([])
    await other.close()
  })

  it('that exceeds the size limit is rejected, and leaves no temporary files', async () => {
    const leftovers = async (): Promise<string[]> =>
      (await readdir(tmpdir())).filter((name) => name.startsWith('plumbline-git-'))
    const before = await leftovers()
    const big = await createRepository(server.root, 'big')
    await big.put('zeros.txt', Buffer.alloc(3_000_000))
    const url = `${server.url}/big/.git`
    await expect(listAll(await open({ url }, { limits: { bytes: 1_000_000 } }))).rejects.toMatchObject({
      code: 'source.too-large',
    })
    await expect(listAll(await open({ url }, { limits: { bytes: 500 } }))).rejects.toMatchObject({
      code: 'source.too-large',
    })
    const source = await open({ url })
    expect(await pathsOf(source)).toEqual(['zeros.txt'])
    expect(await leftovers()).toHaveLength(before.length + 1)
    await source.close()
    expect(await leftovers()).toEqual(before)
  })

  it.each<[string, Partial<GitSettings>, string]>([
    ['is not there', { url: 'NOWHERE' }, 'source.not-found'],
    ['has no such branch', { branch: 'nowhere' }, 'source.not-found'],
    ['has no such folder', { path: 'nowhere' }, 'source.not-found'],
    ['has a file for a folder', { path: 'a.md' }, 'source.not-found'],
  ])('that %s says so', async (_, settings, code) => {
    const url = settings.url ? `${server.url}/nowhere` : `${server.url}/docs/.git`
    await expect(listAll(await open({ ...settings, url }))).rejects.toMatchObject({
      code,
      retry: 'never',
      words: expect.stringMatching(/^\S.*\.$/s) as string,
    })
  })

  it('that is empty, or is not a git repository but a web page, is reported', async () => {
    await createRepository(server.root, 'empty')
    await expect(listAll(await open({ url: `${server.url}/empty/.git` }))).rejects.toMatchObject({
      code: 'source.not-found',
    })
    server.answerInstead((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Welcome')
      return true
    })
    await expect(listAll(await open())).rejects.toMatchObject({ code: 'source.unreadable', retry: 'never' })
  })
})
