import { runStages } from '@plumbline/hosting'
import { ingestor } from '@plumbline/ingestor'

await runStages('ingestor', [ingestor])
