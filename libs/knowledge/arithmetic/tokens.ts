import { Unworkable } from './expression'

/** A formula beyond these is not one that people check by reading it. */
const limits = { characters: 500, tokens: 200 }

export type Token = { kind: 'number' | 'name' | 'mark'; text: string }

const number = /(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?(?:[eE][-+]?\d{1,3})?|\.\d+/y
/** Between the brackets of a function a comma parts what it is called with: `max(1,200)` has two. */
const bareNumber = /\d+(?:\.\d+)?(?:[eE][-+]?\d{1,3})?|\.\d+/y
const name = /°?[\p{L}_][\p{L}\p{N}_]*(?:\/\p{L}+)?/uy
const mark = /[-+*/^%(),]/y

const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[×·∙⋅]/g, '*')
    .replace(/[÷∕⁄]/g, '/')
    .replace(/[−–—]/g, '-')
    .replace(/\*\*/g, '^')
    .replace(/[[{]/g, '(')
    .replace(/[\]}]/g, ')')

const at = (pattern: RegExp, text: string, from: number): string | undefined => {
  pattern.lastIndex = from
  return pattern.exec(text)?.[0]
}

/** The numbers, names and marks of a formula, in order. */
export const tokensOf = (formula: string): Token[] => {
  if (formula.trim() === '') throw new Unworkable('the formula is empty')
  if (formula.length > limits.characters) throw new Unworkable('the formula is too long')
  const text = plain(formula)
  const found: Token[] = []
  const called: boolean[] = []
  for (let from = 0; from < text.length;) {
    if (/\s/.test(text[from] ?? '')) {
      from += 1
      continue
    }
    const digits = at(called.includes(true) ? bareNumber : number, text, from)
    const word = digits === undefined ? at(name, text, from) : undefined
    const sign = digits === undefined && word === undefined ? at(mark, text, from) : undefined
    const taken = digits ?? word ?? sign
    if (taken === undefined) throw new Unworkable(`“${text[from] ?? ''}” has no meaning in a formula`)
    if (taken === '(') called.push(found.at(-1)?.kind === 'name')
    if (taken === ')') called.pop()
    found.push({ kind: digits !== undefined ? 'number' : word !== undefined ? 'name' : 'mark', text: taken })
    if (found.length > limits.tokens) throw new Unworkable('the formula is too long')
    from += taken.length
  }
  return found
}
