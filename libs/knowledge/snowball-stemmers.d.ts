declare module 'snowball-stemmers' {
  type Language = 'english' | 'french' | 'german'
  const snowball: { newStemmer: (language: Language) => { stem: (word: string) => string } }
  export default snowball
}
