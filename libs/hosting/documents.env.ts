import { z } from 'zod'
import type { DocumentsSettings } from '@plumbline/adapters/files/document-files'
import { Flag } from '@plumbline/platform/env'
import { setting } from '@plumbline/platform/setting'

const Bucket = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
    'write the name of a bucket: 3 to 63 lower-case letters, digits, . and -',
  )
const Prefix = z
  .string()
  .regex(/^[\w!.*'()-]+(\/[\w!.*'()-]+)*\/?$/, 'write it as a path of letters, digits, - and _, separated by /')
const DocumentsFields = z.object({
  DOCUMENTS_STORE: setting(z.enum(['folder', 's3'], { error: 'use folder or s3' }).default('folder'), {
    about:
      '`s3`: documents are stored [in a bucket](run/storage.md#documents-in-a-bucket); set it and the next three rows for gateway and ingestor',
  }),
  S3_BUCKET: setting(Bucket.optional(), { about: 'the bucket' }),
  S3_ENDPOINT: setting(z.url({ protocol: /^https?$/, error: 'write it as https://host:port' }).optional(), {
    about: 'the address of the server',
    default: "Amazon's",
  }),
  S3_REGION: setting(z.string().optional(), { about: 'its region', default: '`us-east-1`' }),
  S3_PREFIX: setting(Prefix.optional(), { about: 'the folder in it for all objects' }),
  S3_PATH_STYLE: setting(Flag.optional(), {
    about: 'whether the bucket is part of the path',
    default: '`true` with an endpoint',
  }),
  S3_ACCESS_KEY_ID: setting(z.string().optional(), { about: 'the id of an access key' }),
  S3_SECRET_ACCESS_KEY: setting(z.string().optional(), {
    about: 'its secret; without both, the role of the machine or pod is used',
  }),
})
type DocumentsFields = z.infer<typeof DocumentsFields>

const faultOf = (given: DocumentsFields): [keyof DocumentsFields, string] | null => {
  const { DOCUMENTS_STORE: store, S3_ACCESS_KEY_ID: id, S3_SECRET_ACCESS_KEY: secret, S3_BUCKET: bucket } = given
  if (store === 'folder' && bucket !== undefined)
    return ['S3_BUCKET', 'is set, but documents are stored in a folder: set DOCUMENTS_STORE=s3, or remove it']
  if (store === 's3' && bucket === undefined)
    return ['S3_BUCKET', 'name the bucket for documents, because DOCUMENTS_STORE is s3']
  if (store === 's3' && (id === undefined) !== (secret === undefined))
    return [
      id === undefined ? 'S3_ACCESS_KEY_ID' : 'S3_SECRET_ACCESS_KEY',
      'set both keys, or neither. With neither, the role of the machine is used',
    ]
  return null
}

const settingsOf = (given: DocumentsFields): DocumentsSettings => {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = given
  if (given.DOCUMENTS_STORE === 'folder' || bucket === undefined) return { store: 'folder' }
  return {
    store: 's3',
    bucket,
    prefix: given.S3_PREFIX,
    endpoint: given.S3_ENDPOINT,
    region: given.S3_REGION,
    pathStyle: given.S3_PATH_STYLE,
    credentials:
      accessKeyId !== undefined && secretAccessKey !== undefined ? { accessKeyId, secretAccessKey } : undefined,
  }
}

export const DocumentsEnv = DocumentsFields.transform((given, ctx) => {
  const fault = faultOf(given)
  if (fault) ctx.addIssue({ code: 'custom', path: [fault[0]], message: fault[1] })
  return { documents: settingsOf(given) }
})
