/** An element of a formula, or a text, which has no name. */
export type MathNode = { name: string; text: string; children: MathNode[] }

/** The signs before the second part of these, and before the third. */
const signs: Readonly<Record<string, string>> = {
  msup: '^',
  msub: '_',
  munder: '_',
  msubsup: '_^',
  munderover: '_^',
  mfrac: '/',
}
/** The text between the cells of a matrix, and between its rows. */
const between: Readonly<Record<string, string>> = { mtr: ' ', mtable: '; ' }
/** The same formula in other notations. */
const repeated = new Set(['annotation', 'annotation-xml'])

/** Writes a formula of MathML in one line. */
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
