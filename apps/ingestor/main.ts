import { constants, getPriority, setPriority } from 'node:os'
import { runStages } from '@plumbline/hosting/host-stages'
import { ingestor } from '@plumbline/ingestor/ingestor'
import { webhooks } from '@plumbline/webhooks/webhooks'
import { rebuild } from './rebuild'

const { PRIORITY_BELOW_NORMAL } = constants.priority
// On a machine that it shares, questions come before documents; what reads the files inherits it. Who gave it less already may not let it have more.
if (getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL)
await (process.argv[2] === 'rebuild' ? rebuild() : runStages('ingestor', [ingestor, webhooks]))
