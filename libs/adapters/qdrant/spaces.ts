import type { Embedder } from '@plumbline/ports/search-models'
import { connect } from './api'
import { collectionsOf } from './collections'
import { namesUnder } from './payload'
import type { QdrantOptions } from './qdrant-passage-index'

export const qdrantSpaces = async (
  { url, apiKey, prefix = 'plumbline', signal = new AbortController().signal }: QdrantOptions,
  { name, dimensions }: Pick<Embedder, 'name' | 'dimensions'>,
): Promise<{ own: boolean; others: string[] }> => {
  const names = namesUnder(prefix)
  const standing = await collectionsOf(await connect(url, apiKey, signal), names, 'none').standing(signal)
  const spaces = standing.map(({ alias }) => alias).filter((alias) => alias.startsWith(names.spaces))
  const alias = names.alias(name, dimensions)
  return {
    own: spaces.includes(alias),
    others: spaces.filter((each) => each !== alias && !/\.(?:0|building)$/.test(each)),
  }
}
