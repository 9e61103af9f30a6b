import type { Evidence, Working } from '@plumbline/contracts'
import { areAlike, partsOfFormula, unitOf } from '@plumbline/knowledge/arithmetic'
import type { Operation } from './asked'
import { asksForArithmetic, conversionIn, operationIn, sumIn, targetUnit } from './asked'
import type { Compute } from './compute'
import { interest } from './interest'
import { namesRows, operandFor, operandsFrom, operandsIn } from './operands'
import { operate } from './operations'
import { workOut } from './working'

const converted = (question: string): Working | null => {
  const asked = conversionIn(question)
  if (!asked) return null
  const { value, from, to } = asked
  return workOut(
    'Converted',
    `convert(value, ${from}, ${to})`,
    [{ name: 'value', value, unit: from, passageId: null }],
    to,
  )
}

/** A figure of the documents in another unit than theirs. */
const inOtherUnit = (question: string, evidence: Evidence[]): Working | null => {
  const to = targetUnit(question)
  const operand = to === null ? null : operandFor(question.replace(/\s+in\s+\S+(?:\s+\S+)?\s*[?.!]*$/i, '?'), evidence)
  const from = operand ? unitOf(operand.unit) : undefined
  if (!operand || to === null || from === undefined || from === to || !areAlike(from, to)) return null
  return workOut(
    `${operand.said} in ${to}`,
    `convert(value, ${from}, ${to})`,
    [{ name: 'value', value: operand.value, unit: from, passageId: operand.passageId }],
    to,
  )
}

const spelledOut = (question: string): Working | null => {
  const sum = sumIn(question)
  if (sum === null) return null
  const worked = workOut('Worked out', sum, [])
  return worked && partsOfFormula(sum).numbers.length > 1 ? worked : null
}

/** `15 % of 200`, or of a figure of the documents. */
const percentOf = (question: string, evidence: Evidence[]): Working | null => {
  const [rate, own, more] = operandsIn(question)
  if (rate?.unit !== '%' || more) return null
  const whole = own ?? operandFor(`What is ${question.replace(/^.*?(?:%|per ?cent)\s+of\s+/i, '')}`, evidence)
  if (!whole) return null
  const inputs = [
    { name: 'rate', value: Number((rate.value / 100).toPrecision(12)), passageId: null },
    { name: 'whole', value: whole.value, passageId: whole.passageId, ...(whole.unit !== '' && { unit: whole.unit }) },
  ]
  return workOut(
    `${rate.said}${rate.said.endsWith('%') ? '' : '%'} of ${whole.said}`,
    'rate × whole',
    inputs,
    whole.unit,
  )
}

const operated = (operation: Operation, question: string, evidence: Evidence[]): Working | null => {
  if (operation === 'percent-of') return percentOf(question, evidence)
  const own = operandsIn(question)
  return operate(
    operation,
    own.length > 1 && !namesRows(question, evidence) ? own : operandsFrom(question, evidence, operation),
    question,
  )
}

/** Recognises what is to be worked out by its words, and reads the inputs from the question, or from table cells and sentences. */
export const offlineCompute: Compute = async ({ question, evidence }, { signal }) => {
  signal.throwIfAborted()
  if (!asksForArithmetic(question)) return []
  const operation = operationIn(question)
  const working =
    interest(question) ??
    spelledOut(question) ??
    converted(question) ??
    (operation ? operated(operation, question, evidence) : null) ??
    inOtherUnit(question, evidence)
  return working ? [working] : []
}
