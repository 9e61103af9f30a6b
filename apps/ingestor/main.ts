import { constants, setPriority } from 'node:os'
import { runStages } from '@plumbline/hosting'
import { ingestor } from '@plumbline/ingestor'

// On a machine that it shares, questions come before documents; what reads the files inherits it.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
await runStages('ingestor', [ingestor])
