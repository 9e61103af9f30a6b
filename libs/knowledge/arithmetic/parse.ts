import { unitOf } from './conversion'
import type { Expression, Operator } from './expression'
import { functions, isFunction, Unworkable } from './expression'
import type { Token } from './tokens'
import { tokensOf } from './tokens'

/** A formula nested deeper is not one that people check by reading it. */
const deepest = 24

/** Lower binds looser; a power binds from the right. */
const strength: Record<Operator, number> = { '+': 1, '-': 1, '*': 2, '/': 2, '^': 4 }
const strengthOfSign = 3
const isOperator = (text: string): text is Operator => Object.hasOwn(strength, text)

type Cursor = { tokens: Token[]; next: number; depth: number }

const peek = ({ tokens, next }: Cursor): string => tokens[next]?.text ?? ''
const expect = (cursor: Cursor, text: string): void => {
  const found = peek(cursor)
  if (found !== text)
    throw new Unworkable(
      found === '' ? `the formula ends where “${text}” is missing` : `“${text}” is missing before “${found}”`,
    )
  cursor.next += 1
}

const list = (cursor: Cursor): Expression[] => {
  const all = [sum(cursor, 0)]
  while (peek(cursor) === ',') {
    cursor.next += 1
    all.push(sum(cursor, 0))
  }
  return all
}

const unit = (cursor: Cursor): string => {
  const written = cursor.tokens[cursor.next]
  const known = written?.kind === 'name' ? unitOf(written.text) : undefined
  if (known === undefined) throw new Unworkable(`“${written?.text ?? ''}” is no unit that can be converted`)
  cursor.next += 1
  return known
}

const conversion = (cursor: Cursor): Expression => {
  const of = sum(cursor, 0)
  expect(cursor, ',')
  const from = unit(cursor)
  expect(cursor, ',')
  const to = unit(cursor)
  expect(cursor, ')')
  return { kind: 'conversion', of, from, to }
}

const call = (cursor: Cursor, name: string): Expression => {
  expect(cursor, '(')
  if (name === 'convert') return conversion(cursor)
  if (!isFunction(name)) throw new Unworkable(`there is no function “${name}”`)
  const given = list(cursor)
  expect(cursor, ')')
  const { least, most } = functions[name]
  if (given.length < least || given.length > most)
    throw new Unworkable(
      `“${name}” takes ${least === most ? least : `${least} to ${most}`} values, not ${given.length}`,
    )
  return { kind: 'call', name, with: given }
}

const single = (cursor: Cursor): Expression => {
  const token = cursor.tokens[cursor.next]
  if (!token) throw new Unworkable('the formula ends where a number or a name is missing')
  cursor.next += 1
  if (token.kind === 'number') return { kind: 'number', value: Number(token.text.replaceAll(',', '')) }
  if (token.kind === 'name') return peek(cursor) === '(' ? call(cursor, token.text) : { kind: 'name', name: token.text }
  if (token.text !== '(') throw new Unworkable(`a number or a name is missing before “${token.text}”`)
  const inside = sum(cursor, 0)
  expect(cursor, ')')
  return inside
}

const signed = (cursor: Cursor): Expression => {
  const sign = peek(cursor)
  if (sign === '-' || sign === '+') {
    cursor.next += 1
    const of = sum(cursor, strengthOfSign)
    return sign === '-' ? { kind: 'negative', of } : of
  }
  let read = single(cursor)
  while (peek(cursor) === '%') {
    cursor.next += 1
    read = { kind: 'percent', of: read }
  }
  return read
}

/** What is bound more tightly than `above`. */
const sum = (cursor: Cursor, above: number): Expression => {
  cursor.depth += 1
  if (cursor.depth > deepest) throw new Unworkable('the formula is nested too deeply')
  let left = signed(cursor)
  for (let operator = peek(cursor); isOperator(operator) && strength[operator] > above; operator = peek(cursor)) {
    cursor.next += 1
    const right = sum(cursor, operator === '^' ? strength['^'] - 1 : strength[operator])
    left = { kind: 'operation', operator, left, right }
  }
  cursor.depth -= 1
  return left
}

/** Reads `+ − × ÷ ^ %`, brackets, names and calls. Nothing else is a formula. */
export const parse = (formula: string): Expression => {
  const cursor = { tokens: tokensOf(formula), next: 0, depth: 0 }
  const whole = sum(cursor, 0)
  if (cursor.next < cursor.tokens.length) throw new Unworkable(`an operator is missing before “${peek(cursor)}”`)
  return whole
}
