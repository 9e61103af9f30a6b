import { z } from 'zod'
import { AllowedAddresses } from '@plumbline/adapters/fetching/target'
import { DocumentsEnv } from '@plumbline/hosting/documents.env'
import { OcrEnv } from '@plumbline/parsing'
import { Concurrency, TimeoutMs } from '@plumbline/platform'
import { setting } from '@plumbline/platform/setting'

const Own = z.object({
  INGESTOR_CONCURRENCY: setting(Concurrency.optional(), {
    about:
      'how many large documents an ingestor indexes at once. In addition, 8 text or Markdown files of up to 64 KB are indexed at once',
    default: '`2`',
  }),
  INGESTOR_TIMEOUT_MS: setting(TimeoutMs.optional(), {
    about: 'the maximum time for one document',
    default: '`600000`',
  }),
  UNKNOWN_ORIGINALS_DAYS: setting(z.coerce.number().int().min(1).max(3_650).default(30), {
    about:
      'how many days the ingestor keeps [uploaded files that have no record in Redis](run/storage.md#originals-that-the-catalog-does-not-know), 1 to 3650',
  }),
  ...OcrEnv.shape,
  DOCLING_URL: setting(z.url({ protocol: /^https?$/, error: 'write it as http://host:port' }).optional(), {
    about: 'a docling-serve that reads scans and pictures for the ingestor',
  }),
  DOCLING_API_KEY: setting(z.string().optional(), { about: 'its key' }),
  DOCLING_TIMEOUT_MS: setting(TimeoutMs.default(300_000), { about: 'the maximum time for one file' }),
  ALLOW_PRIVATE_ADDRESSES: AllowedAddresses,
})
export const IngestorEnv = Own.and(DocumentsEnv)
export type IngestorEnv = z.infer<typeof IngestorEnv>
