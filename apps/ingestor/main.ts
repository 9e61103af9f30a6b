import { constants, getPriority, setPriority } from 'node:os'
import { runStages } from '@plumbline/hosting/host-stages'
import { ingestorWith } from '@plumbline/ingestor/ingestor'
import { readFeatures } from '@plumbline/features/all'
import { rebuild } from './rebuild'

const { PRIORITY_BELOW_NORMAL } = constants.priority
// Lower the priority of this process, because questions are more urgent. If the priority is already lower, keep it,
// because a process cannot raise its own priority.
if (getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL)
if (process.argv[2] === 'rebuild') await rebuild()
else
  await runStages('ingestor', () => {
    const { workers, companions } = readFeatures()
    return [ingestorWith(companions), ...workers]
  })
