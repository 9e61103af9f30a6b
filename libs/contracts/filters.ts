import { z } from 'zod'
import { metadataName, metadataWord } from './metadata'

/** A day, which begins at midnight UTC, or a point in time. */
export const Moment = z.union([z.iso.date(), z.iso.datetime({ offset: true })])
const bound = z.union([z.number(), ...Moment.options], {
  error: 'send a number, a day as 2026-01-31 or a time as 2026-01-31T09:00:00Z',
})
const words = z.array(metadataWord).min(1, 'name at least one').max(64, 'name 64 at most')
const isSet = (value: unknown): boolean => value !== undefined

/**
 * A condition on a metadata value. The limits `gte`, `gt`, `lte` and `lt` apply to values that are numbers, days or
 * times.
 */
export const Condition = z
  .strictObject({
    in: words.optional(),
    /** Excludes documents with these values. A document without this metadata name is included. */
    not: z.union([metadataWord, words]).optional(),
    gte: bound.optional(),
    gt: bound.optional(),
    /** A day as upper limit includes all its hours. */
    lte: bound.optional(),
    lt: bound.optional(),
  })
  .refine((condition) => Object.values(condition).some(isSet), 'use one of in, not, gte, gt, lte, lt')
  .refine(
    ({ gte, gt, lte, lt }) => new Set([gte, gt, lte, lt].filter(isSet).map((value) => typeof value)).size <= 1,
    'limit a range by numbers or by days, not by both',
  )
export type Condition = z.infer<typeof Condition>

/**
 * Metadata that documents must have, by name: an equal value, or a value that meets a condition. All entries must
 * match.
 */
export const Filters = z
  .record(
    metadataName,
    z.union([metadataWord, Condition], { error: 'send a text, or an object with in, not, gte, gt, lte, lt' }),
    { error: ({ code }) => (code === 'invalid_key' ? 'use names of at most 64 characters' : undefined) },
  )
  .refine((filters) => Object.keys(filters).length <= 64, 'use at most 64 names')
export type Filters = z.infer<typeof Filters>
