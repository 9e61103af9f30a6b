import type { SourceSettings } from '@plumbline/contracts'
import { SourceError, type DocumentSource } from '@plumbline/ports/document-source'
import type { SourceOptions } from './options'

/** Opens a source; nothing is asked of it before it is listed. */
export const openSource = async (settings: SourceSettings, _options: SourceOptions): Promise<DocumentSource> => {
  throw new SourceError('not-allowed', 'never', `Sources of the kind ${settings.kind} cannot be opened.`)
}
