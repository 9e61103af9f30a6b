import { removeDocument } from '@plumbline/adapters/files/removal'
import { documentId, LostSource, type SourceRun } from '../run/source-run'

const removeWithinMs = 10_000

export const removePath = async (run: SourceRun, path: string): Promise<void> => {
  const { ports, open } = run
  const { catalog, files, index, runs } = ports
  const { tenant } = open
  const id = documentId(run, path)
  const owner = (await runs.states(tenant, [id])).get(id)?.owner
  if (owner === undefined || owner === open.name) {
    await catalog.fenceDocument(id, open.run)
    const signal = AbortSignal.any([run.signal, AbortSignal.timeout(removeWithinMs)])
    const removePassages = (...of: Parameters<typeof index.remove>): Promise<void> => index.remove(...of)
    await removeDocument(
      { catalog, files, removePassages },
      tenant,
      id,
      () => catalog.removeDocument(tenant, id),
      signal,
    )
  }
  if (!(await runs.noteDocuments(open, [[path, null]]))) throw new LostSource()
}
