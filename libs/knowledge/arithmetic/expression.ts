export type Operator = '+' | '-' | '*' | '/' | '^'
export type FunctionName = keyof typeof functions

/** A formula that was read: nothing in it but numbers, names, and what is done with them. */
export type Expression =
  | { kind: 'number'; value: number }
  | { kind: 'name'; name: string }
  | { kind: 'negative'; of: Expression }
  | { kind: 'percent'; of: Expression }
  | { kind: 'operation'; operator: Operator; left: Expression; right: Expression }
  | { kind: 'call'; name: FunctionName; with: Expression[] }
  | { kind: 'conversion'; of: Expression; from: string; to: string }

const sum = (all: number[]): number => all.reduce((total, each) => total + each, 0)

/** Decimal, as people round: 1.005 to two places is 1.01. */
export const round = (value: number, places = 0): number => {
  const [digits = '', exponent = '0'] = Math.abs(value).toString().split('e')
  const scaled = Math.round(Number(`${digits}e${Number(exponent) + places}`))
  const rounded = Number(`${scaled}e${-places}`)
  return Math.sign(value) * (Number.isFinite(rounded) ? rounded : Math.abs(value))
}

/** Every function a formula may call, with the least and the most it takes. */
export const functions = {
  min: { least: 1, most: 50, of: (all: number[]) => Math.min(...all) },
  max: { least: 1, most: 50, of: (all: number[]) => Math.max(...all) },
  sum: { least: 1, most: 50, of: sum },
  avg: { least: 1, most: 50, of: (all: number[]) => sum(all) / all.length },
  round: {
    least: 1,
    most: 2,
    of: ([value = 0, places = 0]: number[]) => round(value, Math.max(-12, Math.min(12, Math.trunc(places)))),
  },
  abs: { least: 1, most: 1, of: ([value = 0]: number[]) => Math.abs(value) },
  sqrt: { least: 1, most: 1, of: ([value = 0]: number[]) => Math.sqrt(value) },
  ln: { least: 1, most: 1, of: ([value = 0]: number[]) => Math.log(value) },
} as const

export const isFunction = (name: string): name is FunctionName => Object.hasOwn(functions, name)

/** What is said of a formula that cannot be read or worked out. */
export class Unworkable extends Error {
  override readonly name = 'Unworkable'
}
