const bullet = /^[•●○◦▪■□▫‣⁃∙·►▶➢➤✓✔–—*-]$/u
const number = /^(?:\(?(?:\d{1,2}|[a-zA-Z]|[ivx]{1,4})[.)]|\d{1,2}\.?)$/

export const isBullet = (text: string): boolean => bullet.test(text)

/** A mark that opens an item of a list and stands apart from its text. */
export const isMarker = (text: string): boolean => bullet.test(text) || (number.test(text) && /[.)]$/.test(text))

/** Text that opens an item of a list: its mark and the rest. */
export const itemOf = (text: string): { mark: string; rest: string } | null => {
  const [first = '', ...others] = text.split(' ')
  const rest = others.join(' ').trim()
  if (rest === '') return null
  if (bullet.test(first)) return { mark: '-', rest }
  return /^(?:\d{1,2}[.)]|\(?[a-z\d]{1,2}\))$/.test(first) ? { mark: first, rest } : null
}
