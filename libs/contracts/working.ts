import { z } from 'zod'

const Input = z.object({
  name: z.string(),
  value: z.number(),
  unit: z.string().optional(),
  /** Where it was read; null where the question itself gave it. */
  passageId: z.string().nullable(),
})

/** A worked figure: anybody can put the inputs into the formula and see whether the result comes out. */
export const Working = z.object({
  what: z.string(),
  /** An expression over the inputs' names. */
  formula: z.string(),
  inputs: z.array(Input),
  result: z.number(),
  unit: z.string().optional(),
})
export type Working = z.infer<typeof Working>
