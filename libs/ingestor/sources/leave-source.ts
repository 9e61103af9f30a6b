import { removePath } from './remove-path'
import { begin, eachOf, idOf, type SourceRun } from './source-run'

const atOnce = 8

/** Removes a source. Its documents are either removed too, or kept as if they had been uploaded. */
export const leaveSource = async (run: SourceRun): Promise<void> => {
  const { ports, open, tally } = run
  const paths = [...(await ports.runs.documents(open)).keys()]
  begin(tally, 'remove', paths.length)
  await eachOf(paths, atOnce, async (path) => {
    if (open.removing === 'keep') await ports.runs.release(open.name, idOf(run, path))
    else await removePath(run, path)
    tally.done += 1
  })
}
