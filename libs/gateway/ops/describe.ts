import { SetMetadata } from '@nestjs/common'
import type { z } from 'zod'

/** A schema answers as JSON; a string is a content type without one; several types stand beside each other. */
export type Answers = Record<number, z.ZodType | string | Record<string, z.ZodType | ''>>
export type Description = {
  summary: string
  answers: Answers
  body?: z.ZodType
  /** The fields of a form beside its file. */
  form?: z.ZodType
  query?: z.ZodType
  headers?: Record<string, string>
}

export const DESCRIPTION = 'plumbline:description'
/** What /openapi.json says of a route beside the schemas its parameters name. A string is the content type of an answer without one. */
export const Describe = (description: Description) => SetMetadata(DESCRIPTION, description)
