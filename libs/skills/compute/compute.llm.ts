import type { Evidence, Working } from '@plumbline/contracts'
import { z } from 'zod'
import { askModel } from '../asking/ask-model'
import type { ModelOf } from '../asking/asking'
import { asksForArithmetic } from './asked'
import type { Compute } from './compute'
import { computePrompt } from './compute.prompt'
import { recompute } from './recompute'

const Input = z.object({
  name: z.string().min(1),
  value: z.number(),
  unit: z.string().nullable(),
  passage: z.int().nullable(),
})
const Formula = z.object({
  what: z.string().min(1),
  inputs: z.array(Input),
  formula: z.string().min(1),
  unit: z.string().nullable(),
})
const SetUp = z.object({ formulas: z.array(Formula) })
type Formula = z.infer<typeof Formula>

const most = 3

/** The result is ours: worked out from inputs that were found where the model says they stand. */
const workedOut = (
  { what, formula, inputs, unit }: Formula,
  question: string,
  evidence: Evidence[],
): Working | string => {
  const given = inputs.map(({ name, value, unit: own, passage }) => ({
    name,
    value,
    passageId: passage === null ? null : (evidence[passage - 1]?.id ?? ''),
    ...(own !== null && own !== '' && { unit: own }),
  }))
  const working = { what, formula, inputs: given, result: 0, ...(unit !== null && unit !== '' && { unit }) }
  const worked = recompute(working, { question, evidence })
  return worked.kind === 'worked' ? { ...working, result: worked.value } : worked.why
}

/** A model proposes formula and inputs; whatever does not stand is shown to it once, and then left out. */
export const llmCompute =
  (chat: ModelOf): Compute =>
  async (input, call) => {
    call.signal.throwIfAborted()
    const { question, evidence } = input
    if (!asksForArithmetic(question)) return []
    const all = ({ formulas }: z.infer<typeof SetUp>): (Working | string)[] =>
      formulas.slice(0, most).map((formula) => workedOut(formula, question, evidence))
    const faultIn = (value: z.infer<typeof SetUp>): string | null =>
      all(value)
        .filter((each) => typeof each === 'string')
        .join(' ') || null
    const asked = await askModel({ chat, skill: 'compute', prompt: computePrompt, input, call, schema: SetUp, faultIn })
    return asked.kind === 'refused' ? [] : all(asked.value).filter((each) => typeof each !== 'string')
  }
