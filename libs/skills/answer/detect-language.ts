const languageChars = 1_000

/**
 * Vectors of other languages are meaningless, because the encoder knows only English. Loads the detector (90 MB) on
 * first use.
 */
export const areEnglish = async (...texts: string[]): Promise<boolean> => {
  const { eld } = await import('eld/extrasmall')
  return texts.every((text) => eld.detect(text.slice(0, languageChars)).language === 'en')
}
