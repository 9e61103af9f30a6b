import { SetMetadata } from '@nestjs/common'
import type { z } from 'zod'

export type Answers = Record<number, z.ZodType | string>
export type Description = {
  summary: string
  answers: Answers
  body?: z.ZodType
  query?: z.ZodType
  headers?: Record<string, string>
}

export const DESCRIPTION = 'plumbline:description'
/** What /openapi.json says of a route beside the schemas its parameters name. A string is the content type of an answer without one. */
export const Describe = (description: Description) => SetMetadata(DESCRIPTION, description)
