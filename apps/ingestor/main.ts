import { constants, getPriority, setPriority } from 'node:os'
import { runStages } from '@plumbline/hosting/host-stages'
import { ingestor } from '@plumbline/ingestor/ingestor'
import { webhooks } from '@plumbline/webhooks/webhooks'
import { rebuild } from './rebuild'

const { PRIORITY_BELOW_NORMAL } = constants.priority
// On a shared machine, questions have priority over documents. Reading processes inherit the lower priority. An even
// lower priority is kept, because a process may not raise it.
if (getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL)
await (process.argv[2] === 'rebuild' ? rebuild() : runStages('ingestor', [ingestor, webhooks]))
