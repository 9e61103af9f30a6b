import type { Expression, Operator } from './expression'
import { round } from './expression'
import type { Inputs } from './evaluate'
import { parse } from './parse'

/** A number as people write it: `11,614.72`; small ones keep four digits. */
export const figure = (value: number): string => {
  const size = Math.abs(value)
  const rounded = size === 0 || size >= 1 ? round(value, 2) : Number(value.toPrecision(4))
  if (size >= 1e15 || (size > 0 && size < 1e-6)) return String(rounded)
  const [whole = '', fraction] = (
    rounded.toString().includes('e') ? rounded.toFixed(10).replace(/0+$/, '') : rounded.toString()
  ).split('.')
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ',')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}

/** An input is written as it was given, however many places it has. */
const given = (value: number): string => {
  const [whole = '', fraction] = value.toString().split('.')
  if (value.toString().includes('e')) return value.toString()
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ',')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}

const signs: Record<Operator, string> = { '+': ' + ', '-': ' − ', '*': ' × ', '/': ' / ', '^': '^' }
const strength: Record<Operator, number> = { '+': 1, '-': 1, '*': 2, '/': 2, '^': 4 }

const strengthOf = (expression: Expression, inputs: Inputs): number => {
  switch (expression.kind) {
    case 'operation':
      return strength[expression.operator]
    case 'negative':
      return 3
    case 'number':
      return expression.value < 0 ? 3 : 5
    case 'name':
      return (inputs[expression.name] ?? 0) < 0 ? 0 : 5
    case 'conversion':
      return 0
    case 'percent':
    case 'call':
      return 5
  }
}

const bracketed = (expression: Expression, inputs: Inputs, least: number): string => {
  const text = written(expression, inputs)
  return strengthOf(expression, inputs) < least ? `(${text})` : text
}

const written = (expression: Expression, inputs: Inputs): string => {
  switch (expression.kind) {
    case 'number':
      return given(expression.value)
    case 'name': {
      const value = Object.hasOwn(inputs, expression.name) ? inputs[expression.name] : undefined
      return value === undefined ? expression.name : given(value).replace(/^-/, '−')
    }
    case 'negative':
      return `−${bracketed(expression.of, inputs, 4)}`
    case 'percent':
      return `${bracketed(expression.of, inputs, 5)}%`
    case 'operation': {
      const { operator, left, right } = expression
      const own = strength[operator]
      return `${bracketed(left, inputs, operator === '^' ? own + 1 : own)}${signs[operator]}${bracketed(right, inputs, operator === '^' ? own : own + (operator === '+' || operator === '*' ? 0 : 1))}`
    }
    case 'call':
      return `${expression.name}(${expression.with.map((each) => written(each, inputs)).join('; ')})`
    case 'conversion':
      return `${bracketed(expression.of, inputs, 1)} ${expression.from} in ${expression.to}`
  }
}

/** The formula with its inputs put in, as people write it: `10,000 × (1 + 0.05 / 12)^(12 × 3)`. */
export const writeFormula = (formula: string, inputs: Inputs = {}): string => written(parse(formula), inputs)

const parts = (expression: Expression): Expression[] => {
  switch (expression.kind) {
    case 'number':
    case 'name':
      return [expression]
    case 'negative':
    case 'percent':
    case 'conversion':
      return parts(expression.of)
    case 'operation':
      return [...parts(expression.left), ...parts(expression.right)]
    case 'call':
      return expression.with.flatMap(parts)
  }
}

/** The numbers that stand in a formula itself, and the inputs it names. */
export const partsOfFormula = (formula: string): { numbers: number[]; names: string[] } => {
  const all = parts(parse(formula))
  return {
    numbers: all.flatMap((part) => (part.kind === 'number' ? [part.value] : [])),
    names: [...new Set(all.flatMap((part) => (part.kind === 'name' ? [part.name] : [])))],
  }
}
