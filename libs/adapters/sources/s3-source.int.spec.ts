import { DeleteObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { documentSourceContract } from '@plumbline/ports/document-source.contract'
import { allowing } from '../fetching/target'
import { openSource } from './open-source'
import { serverCredentials, startS3Server } from './spec/s3-server'

const Bucket = 'documents'

documentSourceContract('s3', async () => {
  const server = await startS3Server(Bucket)
  const put = async (path: string, Body: string): Promise<void> =>
    void (await server.client.send(
      new PutObjectCommand({ Bucket, Key: `team/${path}`, Body, ContentLength: Buffer.byteLength(Body) }),
    ))
  await server.client.send(new PutObjectCommand({ Bucket, Key: 'other/secret.md', Body: 'of another team' }))
  return {
    put,
    remove: async (path) => void (await server.client.send(new DeleteObjectCommand({ Bucket, Key: `team/${path}` }))),
    makeFolder: (path) => put(`${path}/`, ''),
    breaks: 'within a list',
    breakDown: async () =>
      server.answerInstead((_, response) => {
        response.writeHead(500, { 'content-type': 'application/xml' })
        response.end('<Error><Code>InternalError</Code><Message>down</Message></Error>')
        return true
      }),
    mend: async () => server.answerInstead(() => false),
    open: (limits = {}) =>
      openSource(
        { kind: 's3', bucket: Bucket, prefix: 'team', endpoint: server.url, credentials: 'spec' },
        { allowed: allowing([server.host]), credentials: { spec: serverCredentials }, limits },
      ),
    close: server.close,
  }
})
