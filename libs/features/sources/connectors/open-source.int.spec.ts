import { createServer } from 'node:http'
import { SourceSettings } from '@plumbline/contracts'
import { SourceError } from '@plumbline/ports/document-source'
import { listAll } from '@plumbline/ports/document-source.contract'
import { onLoopback } from '@plumbline/testing/loopback'
import { describe, expect, it } from 'vitest'
import { insideAddresses, startListener } from '@plumbline/adapters/fetching/spec/attacks'
import { allowedTargets, type Resolve } from '@plumbline/adapters/fetching/target'
import { openSource } from './open-source'
import type { SourceOptions } from './base/options'

const settingsFor = (address: string): unknown[] => [
  { kind: 'website', url: address },
  { kind: 'git', url: address },
  { kind: 's3', bucket: 'documents', endpoint: address },
  { kind: 's3', bucket: 'documents', endpoint: address, pathStyle: false },
]

/** Every name resolves to a private address. */
const resolve: Resolve = async () => [{ address: '127.0.0.1', family: 4 }]

const faultOf = async (settings: SourceSettings, options: SourceOptions): Promise<unknown> => {
  const source = await openSource(settings, options)
  return listAll(source)
    .then(
      () => 'it was listed',
      (error: unknown) => error,
    )
    .finally(() => source.close())
}

describe('addresses that lead inside', () => {
  it('are not contacted as a site, a repository or an S3 endpoint, whatever their spelling', async () => {
    const listener = await startListener()
    const judged: { settings: unknown; fault: unknown }[] = []
    for (const address of insideAddresses(listener.port))
      for (const settings of settingsFor(address)) {
        const parsed = SourceSettings.safeParse(settings)
        const fault = parsed.success ? await faultOf(parsed.data, { resolve }) : 'refused'
        judged.push({ settings, fault })
      }
    await listener.close()
    const isRefused = (fault: unknown): boolean =>
      fault === 'refused' || (fault instanceof SourceError && fault.reason === 'refused-address')
    expect(judged.filter(({ fault }) => !isRefused(fault))).toEqual([])
    expect(judged.filter(({ fault }) => fault instanceof SourceError).length).toBeGreaterThan(200)
    expect(listener.connections()).toBe(0)
  })

  it('are not contacted after a redirect either', async () => {
    const listener = await startListener('127.0.0.1')
    let to = ''
    const asked: string[] = []
    const redirector = await onLoopback(
      createServer((request, response) => {
        asked.push(request.url ?? '')
        response.writeHead(302, { location: to }).end()
      }),
    )
    const options = { allowed: allowedTargets([new URL(redirector.url).host]) }
    const inside = ['http://169.254.169.254/latest/meta-data/', `http://127.0.0.1:${listener.port}/info/refs`]
    for (to of inside)
      for (const settings of settingsFor(redirector.url)) {
        const fault = await faultOf(SourceSettings.parse(settings), options)
        expect(fault).toBeInstanceOf(SourceError)
      }
    expect(asked.length).toBeGreaterThanOrEqual(inside.length * 3)
    await redirector.close()
    await listener.close()
    expect(listener.connections()).toBe(0)
  })
})

describe('credentials', () => {
  const credentials = {
    bucket: { accessKeyId: 'a', secretAccessKey: 'b', buckets: ['ours'] },
    git: { url: 'https://git.example.org/team', token: 't' },
  }
  it.each([
    { kind: 's3', bucket: 'ours', credentials: 'nobody' },
    { kind: 's3', bucket: 'ours', credentials: 'constructor' },
    { kind: 's3', bucket: 'theirs', credentials: 'bucket' },
    { kind: 's3', bucket: 'ours', credentials: 'git' },
    { kind: 'git', url: 'https://git.example.org/team/docs', credentials: 'bucket' },
    { kind: 'git', url: 'https://git.example.org/other/docs', credentials: 'git' },
    { kind: 'git', url: 'https://git.example.org/teammate/docs', credentials: 'git' },
    { kind: 'git', url: 'http://git.example.org/team/docs', credentials: 'git' },
    { kind: 'git', url: 'https://git.example.org.example/team/docs', credentials: 'git' },
    { kind: 'git', url: 'https://git.example.org/team/../other/docs', credentials: 'git' },
  ])('are used where the operator said and nowhere else: %j', async (settings) => {
    await expect(openSource(SourceSettings.parse(settings), { credentials })).rejects.toMatchObject({
      code: 'source.not-allowed',
      retry: 'never',
      words: expect.stringMatching(/^\S.*\.$/) as string,
    })
  })

  it('are accepted for the bucket or the URL that they belong to', async () => {
    for (const settings of [
      { kind: 's3', bucket: 'ours', credentials: 'bucket' },
      { kind: 'git', url: 'https://git.example.org/team/docs', credentials: 'git' },
    ])
      await (await openSource(SourceSettings.parse(settings), { credentials })).close()
  })
})
