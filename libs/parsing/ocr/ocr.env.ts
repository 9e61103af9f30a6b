import { z } from 'zod'

export const OcrEnv = z.object({
  /** The Tesseract codes of the languages, separated by commas. */
  OCR_LANGUAGES: z
    .string()
    .default('eng')
    .transform((list) => list.split(',').map((language) => language.trim()))
    .pipe(z.array(z.string().regex(/^[a-z]{3}(?:_[a-z]+)*$/, 'write it as eng,deu')).min(1)),
})
