import { removePath } from './remove-path'
import { beginTask, documentId, forEachLimited, type SourceRun } from '../run/source-run'

const atOnce = 8

export const removeSource = async (run: SourceRun): Promise<void> => {
  const { ports, open, tally } = run
  const paths = [...(await ports.runs.documents(open)).keys()]
  beginTask(tally, 'remove', paths.length)
  await forEachLimited(paths, atOnce, async (path) => {
    if (open.removing === 'keep') await ports.runs.release(open.name, documentId(run, path))
    else await removePath(run, path)
    tally.done += 1
  })
}
