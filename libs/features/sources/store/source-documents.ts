import { withScripts, type RedisClient } from '@plumbline/adapters/redis/client/client'
import { keys } from '@plumbline/adapters/redis/client/keys'
import { parseDocument } from '@plumbline/adapters/redis/documents/document'
import releaseDocument from './lua/release-document.lua'

/** The entry is stored before the document is imported, so that a crash loses no document. `version` is added later. */
export type SourceDocument = {
  id: string
  version?: string
  digest?: string
  bytes?: number
  access?: string[]
  /** True if a run did not find the file, but a user must confirm before its document is removed. */
  missing?: boolean
}

export type DocumentState = {
  status: 'queued' | 'processing' | 'indexed' | 'failed'
  digest: string
  owner: string
  error?: string
}

const perRead = 500

export const documentStates =
  (redis: RedisClient) =>
  async (tenant: string, ids: readonly string[]): Promise<Map<string, DocumentState>> => {
    const found = new Map<string, DocumentState>()
    const read = async (id: string): Promise<void> => {
      const held = await redis.hmget(keys.document(id), 'tenant', 'status', 'digest', 'owner', 'error')
      const [of, status, digest, owner, error] = held
      if (of !== tenant || !status) return
      found.set(id, {
        status: status as DocumentState['status'],
        digest: digest ?? '',
        owner: owner ?? '',
        ...(error && { error }),
      })
    }
    for (let at = 0; at < ids.length; at += perRead) await Promise.all(ids.slice(at, at + perRead).map(read))
    return found
  }

/** Returns a function that detaches a document from its source. The document remains as if it had been uploaded. */
export const openSourceRelease = (redis: RedisClient) => {
  const { documentRelease } = withScripts(redis, { documentRelease: { lua: releaseDocument, numberOfKeys: 1 } })
  return async (source: string, id: string): Promise<void> => {
    const held = await redis.hgetall(keys.document(id))
    if (held.owner !== source) return
    const { from: _, ...document } = parseDocument(held)
    await documentRelease(keys.document(id), source, JSON.stringify(document))
  }
}
