import type { DocumentFiles } from './document-files'

type Ports = {
  /** Takes the passages of a document out of the index. */
  removePassages(tenant: string, documentId: string, signal: AbortSignal): Promise<void>
  files: Pick<DocumentFiles, 'remove'>
}

/**
 * Passages and files go before the entry, so that a removal that fails can be repeated, and passages once more for an ingestion under
 * way. Once the entry is gone the same name may be brought again, with files of its own.
 */
export const removeDocument = async (
  { removePassages, files }: Ports,
  tenant: string,
  id: string,
  unlist: () => Promise<unknown>,
  signal: AbortSignal,
): Promise<void> => {
  await removePassages(tenant, id, signal)
  await files.remove({ tenant, id })
  await unlist()
  await removePassages(tenant, id, signal)
}
