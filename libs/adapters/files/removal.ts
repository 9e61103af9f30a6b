import type { Catalog } from '../redis'
import type { DocumentFiles } from './document-files'

const isRevision = (revision: string | null | undefined): revision is string => typeof revision === 'string'

type Ports = {
  catalog: Pick<Catalog, 'revisions'>
  /** Removes the passages of a document from the index. */
  removePassages(tenant: string, documentId: string, signal: AbortSignal): Promise<void>
  files: Pick<DocumentFiles, 'remove'>
}

/**
 * Removes the passages and files before the catalog entry, so that a failed removal can be repeated. Removes the
 * passages again at the end, because an ingestion in progress may have written some. The files are not removed again:
 * by then, the same name may have been uploaded with files of its own.
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
