import { z } from 'zod'
import { PassageTable } from './table'
import { PassageWarning } from './warning'

export const Passage = z.object({
  id: z.string(),
  documentId: z.string(),
  collection: z.string(),
  title: z.string(),
  text: z.string(),
  /** Its tables, in order. Older passages have them only as Markdown. */
  tables: z.array(PassageTable).optional(),
  headingPath: z.array(z.string()),
  position: z.number().int(),
  page: z.number().int().optional(),
  /** The name of the file it was read from. */
  file: z.string().optional(),
  /** The version of its document. */
  version: z.string().optional(),
  /** The date that its document is about, and the documents that it amends. */
  date: z.string().optional(),
  supersedes: z.array(z.string()).optional(),
  url: z.string().optional(),
  /** Possible faults of its page, and missing parts elsewhere in its document. */
  warnings: z.array(PassageWarning).optional(),
  /** When a web page was read, in ISO form. */
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
  /** The date that the passage is about, as it writes it. */
  date: z.string().optional(),
  outdated: z.boolean().optional(),
  /** How much its source is to be trusted on this. */
  authority: Level.optional(),
  /** Health, law, money, safety: a single source should not decide. */
  sensitive: z.boolean().optional(),
})
export type Grade = z.infer<typeof Grade>

/** A passage with its scores and grades in one run. */
export const Evidence = Passage.extend({
  scores: Scores,
  query: z.string().optional(),
  /** The document among the evidence that amends this one's. */
  amendedBy: z.string().optional(),
  grade: Grade.optional(),
})
export type Evidence = z.infer<typeof Evidence>

export const CitedPassage = z.object({ n: z.number().int().positive(), passageId: z.string() })
export type CitedPassage = z.infer<typeof CitedPassage>

/** A quoted part of a passage, word for word. A line with only an ellipsis replaces omitted lines. */
export const QuotedPlace = CitedPassage.extend({
  text: z.string(),
  /** Offsets in the text of the words that it shares with the question. */
  marks: z.array(z.tuple([z.number().int(), z.number().int()])),
  /** The number of quoted table rows, if not all. `more`: the table continues in another passage. */
  rows: z.object({ shown: z.number().int(), of: z.number().int(), more: z.boolean().optional() }).optional(),
})
export type QuotedPlace = z.infer<typeof QuotedPlace>

/** A cited passage with its position in the source. */
export const Citation = CitedPassage.extend({
  ...Passage.omit({ id: true, position: true, supersedes: true, tables: true }).shape,
  collection: z.string().optional(),
})
export type Citation = z.infer<typeof Citation>

/** A quoted passage with its position in the source. */
export const Quote = Citation.extend({ marks: QuotedPlace.shape.marks, rows: QuotedPlace.shape.rows })
export type Quote = z.infer<typeof Quote>

/** Returns `7 of 56 rows`, or '' if all rows are shown. */
export const shownRows = ({ rows }: Pick<QuotedPlace, 'rows'>): string =>
  rows === undefined
    ? ''
    : `${rows.shown} of ${rows.more ? 'more than ' : ''}${rows.of} ${rows.of === 1 ? 'row' : 'rows'}`
