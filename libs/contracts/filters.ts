import { z } from 'zod'
import { metadataName, metadataWord } from './metadata'

/** A day or a point in time. A day begins at midnight UTC. */
export const Moment = z.union([z.iso.date(), z.iso.datetime({ offset: true })])
const bound = z.union([z.number(), ...Moment.options], {
  error: 'send a number, a day such as 2026-01-31 or a time such as 2026-01-31T09:00:00Z',
})
const words = z.array(metadataWord).min(1, 'list at least one value').max(64, 'list at most 64 values')
const isSet = (value: unknown): boolean => value !== undefined

/** A condition for one metadata value. `gte`, `gt`, `lte` and `lt` match only numbers, days and times. */
export const Condition = z
  .strictObject({
    in: words.optional(),
    /** This condition also matches documents that have no metadata of this name. */
    not: z.union([metadataWord, words]).optional(),
    gte: bound.optional(),
    gt: bound.optional(),
    /** If this upper limit is a day, the whole day is included. */
    lte: bound.optional(),
    lt: bound.optional(),
  })
  .refine((condition) => Object.values(condition).some(isSet), 'use at least one of in, not, gte, gt, lte, lt')
  .refine(
    ({ gte, gt, lte, lt }) => new Set([gte, gt, lte, lt].filter(isSet).map((value) => typeof value)).size <= 1,
    'use either numbers or dates as the limits of a range, not both',
  )
export type Condition = z.infer<typeof Condition>

export const Filters = z
  .record(
    metadataName,
    z.union([metadataWord, Condition], { error: 'send a string, or an object with in, not, gte, gt, lte, lt' }),
    { error: ({ code }) => (code === 'invalid_key' ? 'use names of at most 64 characters' : undefined) },
  )
  .refine((filters) => Object.keys(filters).length <= 64, 'use at most 64 names')
export type Filters = z.infer<typeof Filters>
