import { z } from 'zod'

export const OcrEnv = z.object({
  /** What scans and pictures are written in, as Tesseract calls it. */
  OCR_LANGUAGES: z
    .string()
    .default('eng')
    .transform((list) => list.split(',').map((language) => language.trim()))
    .pipe(z.array(z.string().regex(/^[a-z]{3}(?:_[a-z]+)*$/, 'write it as eng,deu')).min(1)),
})
