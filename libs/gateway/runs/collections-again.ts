import type { Run } from '@plumbline/flow'

/** Returns collections that the asker named. If the asker named none, several collections are selected again. */
export const collectionsAgain = ({ collections, named }: Pick<Run, 'collections' | 'named'>) => {
  if (named) return { collection: collections }
  const [only, ...others] = collections
  return only !== undefined && others.length === 0 ? { collection: only } : {}
}
