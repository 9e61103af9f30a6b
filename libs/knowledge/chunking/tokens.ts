const han = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}]'
const part = new RegExp(`${han}|(?:(?!${han})[\\p{L}\\p{M}])+|\\p{N}+|[^\\s\\p{L}\\p{M}\\p{N}]`, 'gu')
const letters = 6
const digits = 3

/** About how many tokens a model makes of it, some four characters each in prose. Parts split at blanks add up to the whole. */
export const tokenCount = (text: string): number => {
  let count = 0
  for (const [found] of text.matchAll(part)) count += Math.ceil(found.length / (/^\p{N}/u.test(found) ? digits : letters))
  return count
}
