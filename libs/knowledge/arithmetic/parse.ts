import type { Expression, Operator } from './expression'
import { functions, isFunction, Unworkable } from './expression'
import { unitOf } from './conversion'

/** A formula beyond these is not one that people check by reading it. */
const limits = { characters: 500, tokens: 200, depth: 24 }

type Token = { kind: 'number' | 'name' | 'mark'; text: string }

const number = /(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?(?:[eE][-+]?\d{1,3})?|\.\d+/y
/** Between the brackets of a function a comma parts what it is called with: `max(1,200)` has two. */
const bareNumber = /\d+(?:\.\d+)?(?:[eE][-+]?\d{1,3})?|\.\d+/y
const name = /°?[\p{L}_][\p{L}\p{N}_]*(?:\/\p{L}+)?/uy
const mark = /[-+*/^%(),]/y

const plain = (text: string): string =>
  text.normalize('NFKC').replace(/[×·∙⋅]/g, '*').replace(/[÷∕⁄]/g, '/').replace(/[−–—]/g, '-').replace(/\*\*/g, '^').replace(/[[{]/g, '(').replace(/[\]}]/g, ')')

const at = (pattern: RegExp, text: string, from: number): string | undefined => {
  pattern.lastIndex = from
  return pattern.exec(text)?.[0]
}

const tokensOf = (text: string): Token[] => {
  const found: Token[] = []
  const called: boolean[] = []
  for (let from = 0; from < text.length; ) {
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

/** Lower binds looser; a power binds from the right. */
const strength: Record<Operator, number> = { '+': 1, '-': 1, '*': 2, '/': 2, '^': 4 }
const strengthOfSign = 3
const isOperator = (text: string): text is Operator => Object.hasOwn(strength, text)

const reader = (tokens: Token[]) => {
  let next = 0
  const peek = (): string => tokens[next]?.text ?? ''
  const expect = (text: string): void => {
    if (peek() !== text) throw new Unworkable(peek() === '' ? `the formula ends where “${text}” is missing` : `“${text}” is missing before “${peek()}”`)
    next += 1
  }

  const list = (depth: number): Expression[] => {
    const all = [sum(0, depth)]
    while (peek() === ',') {
      next += 1
      all.push(sum(0, depth))
    }
    return all
  }

  const unit = (): string => {
    const written = tokens[next]
    const known = written?.kind === 'name' ? unitOf(written.text) : undefined
    if (known === undefined) throw new Unworkable(`“${written?.text ?? ''}” is no unit that can be converted`)
    next += 1
    return known
  }

  const call = (called: string, depth: number): Expression => {
    expect('(')
    if (called === 'convert') {
      const of = sum(0, depth)
      expect(',')
      const from = unit()
      expect(',')
      const to = unit()
      expect(')')
      return { kind: 'conversion', of, from, to }
    }
    if (!isFunction(called)) throw new Unworkable(`there is no function “${called}”`)
    const given = list(depth)
    expect(')')
    const { least, most } = functions[called]
    if (given.length < least || given.length > most) throw new Unworkable(`“${called}” takes ${least === most ? least : `${least} to ${most}`} values, not ${given.length}`)
    return { kind: 'call', name: called, with: given }
  }

  const single = (depth: number): Expression => {
    const token = tokens[next]
    if (!token) throw new Unworkable('the formula ends where a number or a name is missing')
    next += 1
    if (token.kind === 'number') return { kind: 'number', value: Number(token.text.replaceAll(',', '')) }
    if (token.kind === 'name') return peek() === '(' ? call(token.text, depth) : { kind: 'name', name: token.text }
    if (token.text !== '(') throw new Unworkable(`a number or a name is missing before “${token.text}”`)
    const inside = sum(0, depth)
    expect(')')
    return inside
  }

  const signed = (depth: number): Expression => {
    if (peek() === '-' || peek() === '+') {
      const negative = peek() === '-'
      next += 1
      const of = sum(strengthOfSign, depth)
      return negative ? { kind: 'negative', of } : of
    }
    let read = single(depth)
    while (peek() === '%') {
      next += 1
      read = { kind: 'percent', of: read }
    }
    return read
  }

  const sum = (above: number, depth: number): Expression => {
    if (depth > limits.depth) throw new Unworkable('the formula is nested too deeply')
    let left = signed(depth + 1)
    for (let operator = peek(); isOperator(operator) && strength[operator] > above; operator = peek()) {
      next += 1
      const right = operator === '^' ? sum(strength['^'] - 1, depth + 1) : sum(strength[operator], depth + 1)
      left = { kind: 'operation', operator, left, right }
    }
    return left
  }

  return (): Expression => {
    const whole = sum(0, 0)
    if (next < tokens.length) throw new Unworkable(`an operator is missing before “${peek()}”`)
    return whole
  }
}

/** Reads `+ − × ÷ ^ %`, brackets, names and calls. Nothing else is a formula. */
export const parse = (formula: string): Expression => {
  if (formula.trim() === '') throw new Unworkable('the formula is empty')
  if (formula.length > limits.characters) throw new Unworkable('the formula is too long')
  return reader(tokensOf(plain(formula)))()
}
