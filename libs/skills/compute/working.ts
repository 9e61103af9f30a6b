import type { Working } from '@plumbline/contracts'
import { evaluate, figure, writeFormula } from '@plumbline/knowledge/arithmetic'

export type Input = Working['inputs'][number]

export const valuesOf = (inputs: Input[]): Record<string, number> =>
  Object.fromEntries(inputs.map(({ name, value }) => [name, value]))

/** A working by its formula; null where the formula gives nothing for these inputs. */
export const workOut = (what: string, formula: string, inputs: Input[], unit?: string): Working | null => {
  const worked = evaluate(formula, valuesOf(inputs))
  return worked.kind === 'worked'
    ? { what, formula, inputs, result: worked.value, ...(unit !== undefined && unit !== '' && { unit }) }
    : null
}

const tight = new Set(['%', '°c', '°f'])
const before = new Set(['$', '€', '£'])

export const withUnit = (value: number, unit = ''): string => {
  const text = figure(value)
  if (before.has(unit)) return value < 0 ? `-${unit}${figure(-value)}` : `${unit}${text}`
  const shown = unit.replace(/^°([cf])$/, (_, letter: string) => `°${letter.toUpperCase()}`)
  return unit === '' ? text : tight.has(unit) && unit === '%' ? `${text}%` : `${text} ${shown}`
}

/** As people read and redo it: `10,000 × (1 + 0.05 / 12)^(12 × 3) = 11,614.72`. */
export const saidWorking = ({ what, formula, inputs, result, unit }: Working): string =>
  `${what}: ${writeFormula(formula, valuesOf(inputs))} = ${withUnit(result, unit)}`

export const passagesOf = ({ inputs }: Working): string[] => [
  ...new Set(inputs.flatMap(({ passageId }) => (passageId === null ? [] : [passageId]))),
]
