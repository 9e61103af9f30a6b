import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readEnv } from '@plumbline/platform'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { sourceOptionsOf, SourcesEnv } from './sources.env'

let folder: string
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'plumbline-credentials-'))))
afterAll(() => rmSync(folder, { recursive: true }))

const written = (text: string): string => {
  const file = join(folder, 'credentials.yaml')
  writeFileSync(file, text)
  return file
}
const optionsOf = (text: string) => sourceOptionsOf(readEnv(SourcesEnv, { SOURCE_CREDENTIALS_FILE: written(text) }))
const faultOf = (file: string): string => {
  try {
    readEnv(SourcesEnv, { SOURCE_CREDENTIALS_FILE: file })
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const team = { url: 'https://git.example.org/team', token: 'shared-token' }
const own = { url: 'https://git.example.org/acme', token: 'own-token' }
const papers = { accessKeyId: 'id', secretAccessKey: 'secret', buckets: ['papers'] }

describe('the file of credentials', () => {
  it('gives each tenant the shared credentials and its own, which have priority', () => {
    const options = optionsOf(`
acme:
  team: { url: https://git.example.org/acme, token: own-token }
  papers: { accessKeyId: id, secretAccessKey: secret, buckets: [papers] }
"*":
  team: { url: https://git.example.org/team, token: shared-token }
`)
    expect(options('acme').credentials).toEqual({ team: own, papers })
    expect(options('other').credentials).toEqual({ team })
    expect(sourceOptionsOf(readEnv(SourcesEnv, {}))('acme').credentials).toEqual({})
  })

  it('may be JSON', () => {
    expect(optionsOf(JSON.stringify({ acme: { papers } }))('acme').credentials).toEqual({ papers })
  })

  it('that is missing or invalid is reported with what to do', () => {
    const nowhere = join(folder, 'nowhere.yaml')
    expect(faultOf(nowhere)).toContain(
      `SOURCE_CREDENTIALS_FILE: there is no file ${nowhere}: set the path of an existing file`,
    )
    expect(faultOf(folder)).toContain('cannot be read (EISDIR): give this process the right to read the file')
  })

  it.each([
    ['acme: { papers: { accessKeyId: id, secretAccessKey: top-secret', 'is neither YAML nor JSON'],
    ['a: *top-secret', 'is neither YAML nor JSON'],
    ['top-secret', 'the file cannot be read'],
    ['', 'the file cannot be read'],
    ['papers: { accessKeyId: id, secretAccessKey: top-secret }', 'papers.accessKeyId, papers.secretAccessKey cannot'],
    ['acme: { papers: { accessKeyId: id, secretAccessKey: top-secret, bucket: x } }', 'acme.papers cannot be read'],
    ['acme: { papers: { accessKeyId: id, secretAccessKey: "" } }', 'acme.papers.secretAccessKey cannot be read'],
    ['acme: { wiki: { url: git.example.org, token: top-secret } }', 'acme.wiki.url cannot be read'],
    ['acme: { wiki: { url: https://git.example.org, token: 123 } }', 'acme.wiki cannot be read'],
    [
      'acme: { wiki: { url: https://git.example.org, token: top-secret, accessKeyId: id } }',
      'acme.wiki cannot be read',
    ],
  ])('%j is refused: %s, and how to write it, without a word of the secrets', (text, words) => {
    const fault = faultOf(written(text))
    expect(fault).toContain(words)
    expect(fault).toContain(
      'accessKeyId and secretAccessKey (optionally buckets) for S3, url and token (optionally username) for git',
    )
    expect(fault).not.toMatch(/top-secret/)
  })

  it('is never quoted in a YAML warning', () => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    const text = 'acme: { wiki: { url: https://git.example.org, token: !vault top-secret } }\n? { a: top-secret }\n: {}'
    expect(optionsOf(text)('acme').credentials).toMatchObject({ wiki: { token: 'top-secret' } })
    const shown = warned.mock.calls.map(([warning]) => String(warning))
    warned.mockRestore()
    expect(shown.filter((warning) => warning.includes('top-secret'))).toEqual([])
  })
})

describe('the folders of sources', () => {
  it('are for all tenants, or for one', () => {
    const options = sourceOptionsOf(readEnv(SourcesEnv, { SOURCE_FOLDERS: '/data/shared, acme=/data/acme' }))
    expect(options('acme').folders).toEqual(['/data/shared', '/data/acme'])
    expect(options('other').folders).toEqual(['/data/shared'])
  })

  it('begin at the root', () =>
    expect(() => readEnv(SourcesEnv, { SOURCE_FOLDERS: 'data' })).toThrow(
      'SOURCE_FOLDERS: write it as /data/shared,acme=/data/acme',
    ))
})
