import type { Catalog } from '../redis/documents/catalog'
import type { DocumentFiles } from './document-files'

const isRevision = (revision: string | null | undefined): revision is string => typeof revision === 'string'

type Ports = {
  catalog: Pick<Catalog, 'revisions'>
  removePassages(tenant: string, documentId: string, signal: AbortSignal): Promise<void>
  files: Pick<DocumentFiles, 'remove'>
}

/**
 * Removes passages at the start and again at the end, because an ingestor may add passages in between. A call that
 * failed can be repeated.
 */
export const removeDocument = async (
  { catalog, removePassages, files }: Ports,
  tenant: string,
  id: string,
  unlist: () => Promise<unknown>,
  signal: AbortSignal,
): Promise<void> => {
  await removePassages(tenant, id, signal)
  const { newest, served } = (await catalog.revisions(tenant, id)) ?? {}
  await files.remove({ tenant, id }, [newest, served].filter(isRevision))
  await unlist()
  await removePassages(tenant, id, signal)
}
