const languageChars = 1_000

/** Returns whether all texts are in English. The detector takes 90 MB of memory, so it is loaded on first use. */
export const areEnglish = async (...texts: string[]): Promise<boolean> => {
  const { eld } = await import('eld/extrasmall')
  return texts.every((text) => eld.detect(text.slice(0, languageChars)).language === 'en')
}
