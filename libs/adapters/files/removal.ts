import type { Catalog } from '../redis'
import type { DocumentFiles } from './document-files'

const isRevision = (revision: string | null | undefined): revision is string => typeof revision === 'string'

type Ports = {
  catalog: Pick<Catalog, 'revisions'>
  /** Takes the passages of a document out of the index. */
  removePassages(tenant: string, documentId: string, signal: AbortSignal): Promise<void>
  files: Pick<DocumentFiles, 'remove'>
}

/**
 * Passages and files go before the entry, so that a removal that fails can be repeated, and passages once more for an ingestion under
 * way. Once the entry is gone the same name may be brought again, with files of its own.
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
