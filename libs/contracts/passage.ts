import { z } from 'zod'
import { PassageTable } from './table'
import { PassageWarning } from './warning'

export const Passage = z.object({
  id: z.string(),
  documentId: z.string(),
  collection: z.string(),
  title: z.string(),
  text: z.string(),
  /**
   * The tables of the passage, in order. Passages that an earlier version indexed have their tables only as Markdown.
   */
  tables: z.array(PassageTable).optional(),
  headingPath: z.array(z.string()),
  position: z.number().int(),
  page: z.number().int().optional(),
  /** The name of the file that contains the passage. */
  file: z.string().optional(),
  /** The version of the document that contains the passage. */
  version: z.string().optional(),
  /** The date to which the document applies, and the documents that it amends. */
  date: z.string().optional(),
  supersedes: z.array(z.string()).optional(),
  url: z.string().optional(),
  /** Possible errors in the text of the passage's page, and parts of the document that could not be read. */
  warnings: z.array(PassageWarning).optional(),
  /** The time when the web page was fetched, in ISO form. */
  fetchedAt: z.string().optional(),
})
export type Passage = z.infer<typeof Passage>

export const Scores = z.object({
  similarity: z.number().optional(),
  mmr: z.number().optional(),
  bm25: z.number().optional(),
  fused: z.number().optional(),
  rerank: z.number().optional(),
})
export type Scores = z.infer<typeof Scores>

export const Level = z.enum(['high', 'medium', 'low'])
export type Level = z.infer<typeof Level>

export const Grade = z.object({
  relevant: z.boolean(),
  level: Level,
  confidence: z.number().min(0).max(1),
  reason: z.string(),
  /** The date to which the passage applies, as written in the passage. */
  date: z.string().optional(),
  outdated: z.boolean().optional(),
  /** The trustworthiness of the source on this subject. */
  authority: Level.optional(),
  /**
   * Whether the subject is health, law, money or safety. An answer on such a subject should not rely on a single
   * source.
   */
  sensitive: z.boolean().optional(),
})
export type Grade = z.infer<typeof Grade>

/** A passage that a run found, with its scores and grades in that run. */
export const Evidence = Passage.extend({
  scores: Scores,
  query: z.string().optional(),
  /** The id of another found document that amends the document of this passage. */
  amendedBy: z.string().optional(),
  grade: Grade.optional(),
})
export type Evidence = z.infer<typeof Evidence>

export const CitedPassage = z.object({ n: z.number().int().positive(), passageId: z.string() })
export type CitedPassage = z.infer<typeof CitedPassage>

/** A literal quote from a passage. A line that contains only `…` stands for omitted lines. */
export const QuotedPlace = CitedPassage.extend({
  text: z.string(),
  /** The start and end offsets of words in `text` that also occur in the question. */
  marks: z.array(z.tuple([z.number().int(), z.number().int()])),
  /**
   * The number of quoted table rows. Absent if all rows are quoted. `more`: whether the table continues in another
   * passage.
   */
  rows: z.object({ shown: z.number().int(), of: z.number().int(), more: z.boolean().optional() }).optional(),
})
export type QuotedPlace = z.infer<typeof QuotedPlace>

/** A cited passage and its position in the source. */
export const Citation = CitedPassage.extend({
  ...Passage.omit({ id: true, position: true, supersedes: true, tables: true }).shape,
  collection: z.string().optional(),
})
export type Citation = z.infer<typeof Citation>

/** A quote and its position in the source. */
export const Quote = Citation.extend({ marks: QuotedPlace.shape.marks, rows: QuotedPlace.shape.rows })
export type Quote = z.infer<typeof Quote>

/** Returns a text such as `7 of 56 rows`, or an empty text if all rows are quoted. */
export const shownRows = ({ rows }: Pick<QuotedPlace, 'rows'>): string =>
  rows === undefined
    ? ''
    : `${rows.shown} of ${rows.more ? 'more than ' : ''}${rows.of} ${rows.of === 1 ? 'row' : 'rows'}`
