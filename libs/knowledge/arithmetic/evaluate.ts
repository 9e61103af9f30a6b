import { convert } from './conversion'
import type { Expression } from './expression'
import { functions, Unworkable } from './expression'
import { parse } from './parse'

export type Worked = { kind: 'worked'; value: number } | { kind: 'unworkable'; why: string }
export type Inputs = Readonly<Record<string, number>>

const finite = (value: number, why: string): number => {
  if (!Number.isFinite(value)) throw new Unworkable(why)
  return value
}

const operate = (expression: Extract<Expression, { kind: 'operation' }>, inputs: Inputs): number => {
  const [left, right] = [valueOf(expression.left, inputs), valueOf(expression.right, inputs)]
  switch (expression.operator) {
    case '+':
      return finite(left + right, 'the sum is too large')
    case '-':
      return finite(left - right, 'the difference is too large')
    case '*':
      return finite(left * right, 'the product is too large')
    case '/':
      if (right === 0) throw new Unworkable('it divides by zero')
      return finite(left / right, 'the quotient is too large')
    case '^':
      return finite(left ** right, left < 0 ? 'a negative number has no such power' : 'the power is too large')
  }
}

const valueOf = (expression: Expression, inputs: Inputs): number => {
  switch (expression.kind) {
    case 'number':
      return finite(expression.value, 'a number is too large')
    case 'name': {
      const value = Object.hasOwn(inputs, expression.name) ? inputs[expression.name] : undefined
      if (value === undefined) throw new Unworkable(`“${expression.name}” is not among the inputs`)
      return finite(value, `“${expression.name}” is no number`)
    }
    case 'negative':
      return -valueOf(expression.of, inputs)
    case 'percent':
      return valueOf(expression.of, inputs) / 100
    case 'operation':
      return operate(expression, inputs)
    case 'call':
      return finite(
        functions[expression.name].of(expression.with.map((each) => valueOf(each, inputs))),
        `“${expression.name}” has no value here`,
      )
    case 'conversion':
      return finite(
        convert(valueOf(expression.of, inputs), expression.from, expression.to),
        'the converted value is too large',
      )
  }
}

/** What the formula gives, without the noise of binary fractions; or in words why it gives nothing. */
export const evaluate = (formula: string, inputs: Inputs = {}): Worked => {
  try {
    const value = valueOf(parse(formula), inputs)
    return { kind: 'worked', value: Object.is(value, -0) ? 0 : Number(value.toPrecision(14)) }
  } catch (error) {
    if (error instanceof Unworkable) return { kind: 'unworkable', why: error.message }
    throw error
  }
}
