import { oneLine } from '@plumbline/knowledge/text'
import { withScripts, type RedisClient } from '../client/client'
import { keys } from '../client/keys'
import { digestOf } from './document'
import noteTitle from './lua/note-title.lua'

type Titled = { collection: string; access?: readonly string[] | undefined }
/** `again` is the id of a document that must be indexed again, because its title was indexed without the file name. */
export type TitleCount = { isShared: boolean; again: string | null }

/** The digest contains the access tags, so that a shared title reveals no document that the reader may not see. */
const titleDigest = (title: string, access: readonly string[] = []): string =>
  digestOf(['title', oneLine(title).toLowerCase(), [...access].sort()])

export const titleCounts = (redis: RedisClient) => {
  const scripts = withScripts(redis, { titleNote: { lua: noteTitle, numberOfKeys: 2 } })
  const call = async (tenant: string, collection: string, ...args: string[]): Promise<TitleCount> => {
    const own = [keys.documentsOf(tenant, collection), keys.titles(tenant, collection)] as const
    const [shared, again] = (await scripts.titleNote(...own, ...args)) as [number, string]
    return { isShared: shared === 1, again: again || null }
  }
  return {
    noteTitle: (
      tenant: string,
      { collection, access }: Titled,
      id: string,
      { title, hasFile }: { title: string; hasFile: boolean },
    ): Promise<TitleCount> => call(tenant, collection, id, titleDigest(title, access), hasFile ? '1' : ''),
    /**
     * Removes the title of a deleted document from the counts. Call this after the document left the collection's list.
     * Otherwise an import may count the title again.
     */
    dropTitle: async (tenant: string, collection: string, id: string): Promise<void> =>
      void (await call(tenant, collection, id, '', '')),
  }
}
