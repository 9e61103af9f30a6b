import { z } from 'zod'
import { setting } from '@plumbline/platform/setting'

const languages = z
  .string()
  .default('eng')
  .transform((list) => list.split(',').map((language) => language.trim()))
  .pipe(z.array(z.string().regex(/^[a-z]{3}(?:_[a-z]+)*$/, 'write it as eng,deu')).min(1))

export const OcrEnv = z.object({
  OCR_LANGUAGES: setting(languages, {
    about:
      'languages of [scans and pictures](reference/formats.md#scans-and-pictures), as codes of Tesseract: `eng,deu`; ingestor and gateway read it',
  }),
})
