/** An element with an empty name is a piece of text. */
export type MathNode = { name: string; text: string; children: MathNode[] }

/** The signs to write before the second and the third child of an element. */
const signs: Readonly<Record<string, string>> = {
  msup: '^',
  msub: '_',
  munder: '_',
  msubsup: '_^',
  munderover: '_^',
  mfrac: '/',
}
/** The separators between the cells of a row and between the rows of a matrix. */
const between: Readonly<Record<string, string>> = { mtr: ' ', mtable: '; ' }
/** These elements repeat the formula in another notation. */
const repeated = new Set(['annotation', 'annotation-xml'])

export const mathmlText = ({ name, text, children }: MathNode): string => {
  if (name === '') return text.trim()
  if (repeated.has(name)) return ''
  const parts = children.map(mathmlText).filter((part) => part !== '')
  const closed = parts.map((part) => (/^[\p{L}\p{N}.,∑∏∫]+$/u.test(part) ? part : `(${part})`))
  if (name === 'msqrt') return `√(${parts.join('')})`
  if (name === 'mroot') return `${closed[0] ?? ''}^(1/${closed[1] ?? ''})`
  const sign = signs[name]
  return sign === undefined
    ? parts.join(between[name] ?? '')
    : closed.map((part, at) => `${at === 0 ? '' : sign.charAt(at - 1)}${part}`).join('')
}
