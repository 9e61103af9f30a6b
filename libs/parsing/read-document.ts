import type { ParsedDocument } from '@plumbline/contracts'
import type { FileToTell } from './detect/detect-format'
import type { Reading } from './limits'
import { type Allowance, readFile } from './read-format'
import { withTextWarnings } from './text-health'

export const readDocument = async (
  file: FileToTell,
  allowance: Allowance,
  reading: Omit<Reading, 'name'> = {},
): Promise<ParsedDocument> => withTextWarnings(await readFile(file, allowance, reading))
