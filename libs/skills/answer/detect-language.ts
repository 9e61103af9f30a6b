const languageChars = 1_000

/** English is the only language that the encoder knows. Loads the detector (90 MB) on first use. */
export const areEnglish = async (...texts: string[]): Promise<boolean> => {
  const { eld } = await import('eld/extrasmall')
  return texts.every((text) => eld.detect(text.slice(0, languageChars)).language === 'en')
}
