import type { MathNode } from 'mathjs/number'

/** Rounds the decimal form of the number: 1.005 to two decimals is 1.01. Rounding the binary form would return 1. */
export const round = (value: number, places = 0): number => {
  const [digits = '', exponent = '0'] = Math.abs(value).toString().split('e')
  const scaled = Math.round(Number(`${digits}e${Number(exponent) + places}`))
  const rounded = Number(`${scaled}e${-places}`)
  return Math.sign(value) * (Number.isFinite(rounded) ? rounded : Math.abs(value))
}

/** Removes the rounding errors of binary numbers: 0.30000000000000004 becomes 0.3. */
export const withoutNoise = (value: number): number => Number(value.toPrecision(14))

const mostDecimals = 10

/** Without `decimals`, a number below 1 gets four significant digits, and any other number at most two decimals. */
export const figure = (value: number, decimals?: number): string => {
  const size = Math.abs(value)
  if (size >= 1e15 || (size > 0 && size < 1e-6)) return String(value)
  if (decimals !== undefined) {
    const places = Math.min(decimals, mostDecimals)
    return round(value, places).toLocaleString('en-US', {
      minimumFractionDigits: places,
      maximumFractionDigits: places,
    })
  }
  const rounded = size === 0 || size >= 1 ? round(value, 2) : Number(value.toPrecision(4))
  return rounded.toLocaleString('en-US', { maximumFractionDigits: mostDecimals })
}

/** `items` lists the quoted texts inside `count(…)`. `named` returns the formula with names in place of numbers. */
export type Formula =
  | {
      kind: 'worked'
      value: number
      numbers: number[]
      items: string[]
      named: (nameOf: (value: number) => string | undefined) => string
    }
  | { kind: 'unworkable'; why: string }

type Inputs = Readonly<Record<string, number>>

const operators = new Set(['add', 'subtract', 'multiply', 'divide', 'pow', 'unaryMinus', 'unaryPlus'])
const sum = (...all: number[]): number => all.reduce((total, each) => total + each, 0)
/** The only functions that a formula may call. */
const functions: Readonly<Record<string, (...all: never[]) => number>> = {
  count: (...all) => all.length,
  round: (value: number, places = 0) => round(value, Math.max(-12, Math.min(12, Math.trunc(places)))),
  min: Math.min,
  max: Math.max,
  sqrt: Math.sqrt,
  abs: Math.abs,
  sum,
  mean: (...all: number[]) => sum(...all) / all.length,
}
const longest = 20_000

/** The math library is loaded only for the first formula, because loading takes over half a second. */
const load = async () => {
  const all = await import('mathjs/number')
  const { create, parseDependencies, addDependencies, subtractDependencies, multiplyDependencies } = all
  const { divideDependencies, powDependencies, unaryMinusDependencies, unaryPlusDependencies } = all
  const own = create({
    ...parseDependencies,
    ...addDependencies,
    ...subtractDependencies,
    ...multiplyDependencies,
    ...divideDependencies,
    ...powDependencies,
    ...unaryMinusDependencies,
    ...unaryPlusDependencies,
  })
  return { ...all, parse: own.parse }
}
type Library = Awaited<ReturnType<typeof load>>
let loading: ReturnType<typeof load> | undefined

/**
 * Returns what is wrong with a formula, or null. It may contain only numbers, known names, plain arithmetic, the
 * functions above, and texts inside `count(…)`.
 */
const foreign = (node: MathNode, inputs: Inputs, library: Library, under?: 'call' | 'count'): string | null => {
  const { isConstantNode, isSymbolNode, isOperatorNode, isFunctionNode, isParenthesisNode } = library
  if (isConstantNode(node)) {
    const wanted = under === 'count' ? 'string' : 'number'
    return typeof node.value === wanted ? null : `“${node.value}” is not allowed at this position`
  }
  if (under === 'count') return `“${node.toString()}” is not a number or a calculation`
  if (isSymbolNode(node))
    return Object.hasOwn(under === 'call' ? functions : inputs, node.name) ? null : `“${node.name}” is not known here`
  const isAllowed = (isOperatorNode(node) && operators.has(node.fn)) || isParenthesisNode(node) || isFunctionNode(node)
  if (!isAllowed) return `“${node.toString()}” is not plain arithmetic`
  const faults: (string | null)[] = []
  const called = isFunctionNode(node) ? node.fn.name : ''
  node.forEach((child, path) => {
    const isName = called !== '' && path === 'fn'
    faults.push(foreign(child, inputs, library, isName ? 'call' : called === 'count' ? 'count' : undefined))
  })
  return faults.find((fault) => fault !== null) ?? null
}

export const readFormula = async (text: string, inputs: Inputs = {}): Promise<Formula> => {
  if (text.length > longest) return { kind: 'unworkable', why: 'it is too long' }
  const library = await (loading ??= load())
  const { parse, isConstantNode, SymbolNode } = library
  try {
    const node = parse(text)
    const why = foreign(node, inputs, library)
    if (why !== null) return { kind: 'unworkable', why }
    const value: unknown = node.evaluate({ ...inputs, ...functions })
    if (typeof value !== 'number' || !Number.isFinite(value)) return { kind: 'unworkable', why: 'it has no value' }
    const numbers: number[] = []
    const items: string[] = []
    node.traverse((each) => {
      if (!isConstantNode(each)) return
      if (typeof each.value === 'number') numbers.push(each.value)
      else items.push(String(each.value))
    })
    const named = (nameOf: (value: number) => string | undefined): string =>
      node
        .transform((each) => {
          const name = isConstantNode(each) && typeof each.value === 'number' ? nameOf(each.value) : undefined
          return name === undefined ? each : new SymbolNode(name)
        })
        .toString()
    return { kind: 'worked', value: withoutNoise(value), numbers, items, named }
  } catch (error) {
    return { kind: 'unworkable', why: error instanceof Error ? error.message : String(error) }
  }
}
