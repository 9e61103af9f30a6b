import type { SourceSettings } from '@plumbline/contracts'
import { SourceError, type DocumentSource } from '@plumbline/ports/document-source'
import { checkedSource } from './base/checked-source'
import { openFolder } from './folder/folder-source'
import { isFor } from './git/guarded-http'
import { openGit } from './git/git-source'
import {
  sourceLimits,
  type GitCredentials,
  type S3Credentials,
  type SourceLimits,
  type SourceOptions,
} from './base/options'
import { openS3 } from './s3/s3-source'
import { openWebsite } from './website/website-source'

const notAllowed = (words: string): SourceError => new SourceError('not-allowed', 'never', words)

const credentialsByName = (name: string | undefined, { credentials = {} }: SourceOptions) => {
  if (name === undefined) return undefined
  if (!Object.hasOwn(credentials, name))
    throw notAllowed(`There are no credentials called ${name}. Choose existing ones, or ask the operator to add them.`)
  return credentials[name]
}

const s3Credentials = (name: string | undefined, bucket: string, options: SourceOptions): S3Credentials | undefined => {
  const found = credentialsByName(name, options)
  if (found === undefined) return undefined
  if (!('accessKeyId' in found))
    throw notAllowed(`The credentials ${name} are not for a bucket. Choose credentials for S3.`)
  if (found.buckets?.includes(bucket) === false)
    throw notAllowed(
      `The credentials ${name} are not for the bucket ${bucket}. Choose other credentials, or ask the operator to add the bucket to these credentials.`,
    )
  return found
}

const gitCredentials = (name: string | undefined, url: string, options: SourceOptions): GitCredentials | undefined => {
  const found = credentialsByName(name, options)
  if (found === undefined) return undefined
  if (!('token' in found))
    throw notAllowed(`The credentials ${name} are not for a repository. Choose credentials for Git.`)
  if (!isFor(found, url))
    throw notAllowed(
      `The credentials ${name} are not for ${url}. Choose other credentials, or ask the operator to change the address of these credentials.`,
    )
  return found
}

const opened = (settings: SourceSettings, options: SourceOptions, limits: SourceLimits): DocumentSource => {
  switch (settings.kind) {
    case 'folder':
      return openFolder(settings, options.folders ?? [])
    case 's3':
      return openS3(settings, s3Credentials(settings.credentials, settings.bucket, options), options, limits)
    case 'website':
      return openWebsite(settings, options, limits)
    case 'git':
      return openGit(settings, gitCredentials(settings.credentials, settings.url, options), options, limits)
  }
}

export const openSource = async (settings: SourceSettings, options: SourceOptions): Promise<DocumentSource> => {
  const limits = { ...sourceLimits, ...options.limits }
  return checkedSource(opened(settings, options, limits), limits)
}
