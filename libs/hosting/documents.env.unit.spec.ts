import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readEnv } from '@plumbline/platform'
import { describe, expect, it } from 'vitest'
import { DocumentsEnv } from './documents.env'

const read = (env: Record<string, string>) => readEnv(DocumentsEnv, env).documents
const inBucket = { DOCUMENTS_STORE: 's3', S3_BUCKET: 'plumbline-documents' }

describe('the document store', () => {
  it('is the data folder by default', () => expect(read({})).toEqual({ store: 'folder' }))

  it('is a bucket, with the role of the machine or with keys that may be in files', () => {
    expect(read(inBucket)).toEqual({ store: 's3', bucket: 'plumbline-documents' })
    const folder = mkdtempSync(join(tmpdir(), 'plumbline-keys-'))
    writeFileSync(join(folder, 'secret'), 'secret\n')
    const given = {
      ...inBucket,
      S3_ENDPOINT: 'https://minio.example:9000',
      S3_REGION: 'eu-central-1',
      S3_PREFIX: 'a/b',
      S3_PATH_STYLE: 'false',
      S3_ACCESS_KEY_ID: 'id',
      S3_SECRET_ACCESS_KEY_FILE: join(folder, 'secret'),
    }
    expect(read(given)).toEqual({
      store: 's3',
      bucket: 'plumbline-documents',
      endpoint: 'https://minio.example:9000',
      region: 'eu-central-1',
      prefix: 'a/b',
      pathStyle: false,
      credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
    })
    rmSync(folder, { recursive: true })
  })

  it.each([
    [{ DOCUMENTS_STORE: 'nfs' }, 'DOCUMENTS_STORE: use folder or s3'],
    [{ DOCUMENTS_STORE: 's3' }, 'S3_BUCKET: name the bucket'],
    [{ S3_BUCKET: 'plumbline' }, 'S3_BUCKET: is set, but documents are stored in a folder'],
    [{ ...inBucket, S3_BUCKET: 'A bucket' }, 'S3_BUCKET: write the name of a bucket'],
    [{ ...inBucket, S3_ENDPOINT: 'minio:9000' }, 'S3_ENDPOINT: write it as https://host:port'],
    [{ ...inBucket, S3_PREFIX: '/a' }, 'S3_PREFIX: write it as a path of letters'],
    [{ ...inBucket, S3_PATH_STYLE: 'yes' }, 'S3_PATH_STYLE: use true or false'],
    [{ ...inBucket, S3_ACCESS_KEY_ID: 'id' }, 'S3_SECRET_ACCESS_KEY: set both keys, or neither'],
    [{ ...inBucket, S3_SECRET_ACCESS_KEY: 'secret' }, 'S3_ACCESS_KEY_ID: set both keys, or neither'],
  ])('%j is refused in words', (env, words) => expect(() => read(env)).toThrow(words))
})
