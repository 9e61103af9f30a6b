import type { OnPage } from '@plumbline/ports/document-parser'

/** What a format's reader is told beside the bytes. */
export type Reading = { name: string; onPage?: OnPage }
