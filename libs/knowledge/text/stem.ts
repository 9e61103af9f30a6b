const undouble = (word: string): string => (/([bdgmnprt])\1$/.test(word) ? word.slice(0, -1) : word)

const singular = (word: string): string => {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(ss|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2)
  return /[^su]s$/.test(word) && word.length > 3 ? word.slice(0, -1) : word
}

const bare = (word: string): string => {
  if (word.length > 5 && word.endsWith('ing')) return undouble(word.slice(0, -3))
  if (word.length > 4 && /[^e]ed$/.test(word)) return undouble(word.slice(0, -2))
  if (word.length > 6 && /[st]ion$/.test(word)) return word.replace(/(it)?ion$/, '')
  if (word.length > 5 && word.endsWith('ly')) return word.slice(0, -2)
  return word
}

/** Brings the forms of a word together: stores, stored, storing → stor. Words with digits stay as they are. */
export const stem = (word: string): string => {
  if (word.length < 4 || /[^a-z]/.test(word)) return word
  return bare(singular(word))
    .replace(/(?<=..)e$/, '')
    .replace(/(?<=[^aeiou].)i$|(?<=..)y$/, 'i')
}
