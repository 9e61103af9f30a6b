import type { Run } from '@plumbline/flow'

/**
 * Returns the collections for asking a question again. If the asker named no collection and the run had several, none
 * is returned, and collections are selected again.
 */
export const collectionsAgain = ({ collections, named }: Pick<Run, 'collections' | 'named'>) => {
  if (named) return { collection: collections }
  const [only, ...others] = collections
  return only !== undefined && others.length === 0 ? { collection: only } : {}
}
