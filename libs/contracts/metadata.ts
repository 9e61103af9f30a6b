import { z } from 'zod'
import { clean, plainText } from './text'

const mostWords = 64
const word = plainText.overwrite(clean)
export const metadataName = word.max(64, '64 characters at most')
export const metadataWord = word.max(256, '256 characters at most')
/** Words that documents and runs carry, by name: an ask may filter by them. */
export const Metadata = z
  .record(metadataName, metadataWord, {
    error: ({ code }) => (code === 'invalid_key' ? 'use names of 64 characters at most' : undefined),
  })
  .refine((words) => Object.keys(words).length <= mostWords, `keep it to ${mostWords} names`)
