import { z } from 'zod'
import { clean, plainText } from './text'

const mostWords = 64
const word = plainText.overwrite(clean)
export const metadataName = word.max(64, 'use at most 64 characters')
export const metadataWord = word.max(256, 'use at most 256 characters')
export const Metadata = z
  .record(metadataName, metadataWord, {
    error: ({ code }) => (code === 'invalid_key' ? 'use names of at most 64 characters' : undefined),
  })
  .refine((words) => Object.keys(words).length <= mostWords, `use at most ${mostWords} names`)
