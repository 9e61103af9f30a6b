import { z } from 'zod'
import { AllowedAddresses } from '@plumbline/adapters/fetching/target'
import { DocumentsEnv } from '@plumbline/hosting/documents.env'
import { OcrEnv } from '@plumbline/parsing'
import { Concurrency, TimeoutMs } from '@plumbline/platform'

const Own = z.object({
  INGESTOR_CONCURRENCY: Concurrency.optional(),
  INGESTOR_TIMEOUT_MS: TimeoutMs.optional(),
  /** Original files without an entry in the catalog are deleted after this number of days. */
  UNKNOWN_ORIGINALS_DAYS: z.coerce.number().int().min(1).max(3_650).default(30),
  ...OcrEnv.shape,
  /** The URL of docling-serve, which reads scans and pictures better than the built-in parser. */
  DOCLING_URL: z.url({ protocol: /^https?$/, error: 'write it as http://host:port' }).optional(),
  DOCLING_API_KEY: z.string().optional(),
  DOCLING_TIMEOUT_MS: TimeoutMs.default(300_000),
  ALLOW_PRIVATE_ADDRESSES: AllowedAddresses,
})
export const IngestorEnv = Own.and(DocumentsEnv)
export type IngestorEnv = z.infer<typeof IngestorEnv>
