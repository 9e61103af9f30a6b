import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { EnvError } from '@plumbline/platform/env'
import type { OcrData } from './recognise'

const unpacked = promisify(gunzip)
const { resolve } = createRequire(import.meta.url)

const installed = (language: string): string | undefined => {
  try {
    const folder = dirname(resolve(`@tesseract.js-data/${language}/package.json`))
    return join(folder, '4.0.0_best_int', `${language}.traineddata.gz`)
  } catch {
    return undefined
  }
}

export const unpackLanguages = async (folder: string, languages: readonly string[]): Promise<OcrData> => {
  const missing = languages.filter((language) => installed(language) === undefined)
  if (missing.length > 0)
    throw new EnvError(
      `The data for OCR of ${missing.join(' and ')} is not installed. Run npm install ${missing.map((language) => `@tesseract.js-data/${language}`).join(' ')}, or remove the language from OCR_LANGUAGES.`,
    )
  await mkdir(folder, { recursive: true })
  for (const language of languages) {
    const file = join(folder, `${language}.traineddata`)
    if (existsSync(file)) continue
    // Rename the file only when it is complete, because another process may unpack the same language.
    const part = `${file}.${String(process.pid)}`
    await writeFile(part, await unpacked(await readFile(installed(language) ?? '')))
    await rename(part, file)
  }
  return { folder, languages: languages.join('+') }
}
