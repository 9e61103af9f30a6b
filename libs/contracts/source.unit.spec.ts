import { describe, expect, it } from 'vitest'
import { SourceSettings } from './source'

describe('settings of a source', () => {
  it('get defaults for omitted fields', () => {
    expect(SourceSettings.parse({ kind: 'website', url: 'https://example.org/' })).toEqual({
      kind: 'website',
      url: 'https://example.org/',
      depth: 3,
      pages: 500,
      exclude: [],
    })
  })

  it.each([
    { kind: 'folder', path: '/data/docs' },
    { kind: 's3', bucket: 'team-docs', prefix: 'a/b', region: 'eu-central-1' },
    { kind: 's3', bucket: 'docs', endpoint: 'https://s3.example.org:9000', pathStyle: true, credentials: 'docs' },
    { kind: 'website', url: 'https://example.org/', depth: 0, pages: 1, exclude: ['/blog/', '/*.zip$'] },
    { kind: 'git', url: 'https://example.org/docs.git', branch: 'release/1.x', path: 'docs/en', credentials: 'docs' },
  ])('are taken: %j', (settings) => expect(SourceSettings.safeParse(settings).success).toBe(true))

  it.each([
    { kind: 'ftp', url: 'ftp://example.org/' },
    { kind: 'folder', path: '' },
    { kind: 'folder', path: 'a\0b' },
    { kind: 's3', bucket: 'docs/../other' },
    { kind: 's3', bucket: 'x@169.254.169.254' },
    { kind: 's3', bucket: 'docs', region: 'eu.example.org/' },
    { kind: 's3', bucket: 'docs', prefix: '../other' },
    { kind: 's3', bucket: 'docs', endpoint: 'file:///etc' },
    { kind: 's3', bucket: 'docs', accessKeyId: 'a', secretAccessKey: 'b' },
    { kind: 'website', url: 'javascript:alert(1)' },
    { kind: 'website', url: 'https://example.org/', pages: 1_000_000 },
    { kind: 'website', url: 'https://example.org/', exclude: ['/a\nAllow: /'] },
    { kind: 'git', url: 'ssh://git@example.org/docs' },
    { kind: 'git', url: 'git@example.org:docs.git' },
    { kind: 'git', url: 'https://example.org/docs', branch: '--upload-pack=x' },
    { kind: 'git', url: 'https://example.org/docs', branch: 'a/../b' },
    { kind: 'git', url: 'https://example.org/docs', path: '../../etc' },
    { kind: 'git', url: 'https://example.org/docs', token: 'secret' },
  ])('are refused: %j', (settings) => expect(SourceSettings.safeParse(settings).success).toBe(false))
})
