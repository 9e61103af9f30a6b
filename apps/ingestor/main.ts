import { constants, getPriority, setPriority } from 'node:os'
import { runStages } from '@plumbline/hosting/host-stages'
import { ingestor } from '@plumbline/ingestor/ingestor'
import { webhooks } from '@plumbline/webhooks/webhooks'
import { rebuild } from './rebuild'

const { PRIORITY_BELOW_NORMAL } = constants.priority
// Questions have priority. A process may not raise its priority, so an even lower one is kept.
if (getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL)
await (process.argv[2] === 'rebuild' ? rebuild() : runStages('ingestor', [ingestor, webhooks]))
