import { z } from 'zod'
import { RunStatus } from '@plumbline/contracts'
import { bounds } from '../settings'

const wrongCursor = 'send a cursor that a list gave you, or leave it out'
/** A place in a list, as every list writes it: taken for no cursor at all, another one would show the first page for ever. */
const isPlace = (text: string): boolean => /^\d{1,16}:[\w. ]+$/.test(Buffer.from(text, 'base64url').toString())
export const cursor = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,256}$/, wrongCursor)
  .refine(isPlace, wrongCursor)
  .optional()
const { limit, most } = bounds.page
const wrongLimit = `send a whole number from 1 to ${most}`
export const limitOfPage = z.coerce
  .number(wrongLimit)
  .int(wrongLimit)
  .min(1, wrongLimit)
  .max(most, wrongLimit)
  .default(limit)

export const AudienceQuery = z.strictObject({ audience: z.enum(['asker', 'desk']).default('asker') })
export type AudienceQuery = z.infer<typeof AudienceQuery>

export const RunsQuery = z.strictObject({ cursor, limit: limitOfPage, status: RunStatus.optional() })
export type RunsQuery = z.infer<typeof RunsQuery>

export const ReviewsQuery = z.strictObject({ cursor, limit: limitOfPage })
export type ReviewsQuery = z.infer<typeof ReviewsQuery>
