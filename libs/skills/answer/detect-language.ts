const languageChars = 1_000

/**
 * Returns whether all texts are English. Vectors of other languages are meaningless, because the encoder knows only
 * English. The language detector takes 90 MB, so it is loaded on first use.
 */
export const areEnglish = async (...texts: string[]): Promise<boolean> => {
  const { eld } = await import('eld/extrasmall')
  return texts.every((text) => eld.detect(text.slice(0, languageChars)).language === 'en')
}
