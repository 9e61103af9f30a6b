import type { Run } from '@plumbline/flow'

/** If the asker named none of several collections, they are selected again. */
export const collectionsAgain = ({ collections, named }: Pick<Run, 'collections' | 'named'>) => {
  if (named) return { collection: collections }
  const [only, ...others] = collections
  return only !== undefined && others.length === 0 ? { collection: only } : {}
}
