import { z } from 'zod'
import { PassageTable } from './table'
import { PassageWarning } from './warning'

export const Passage = z.object({
  id: z.string(),
  documentId: z.string(),
  collection: z.string(),
  title: z.string(),
  text: z.string(),
  /** Its tables, in order; one stored before there were any has them only as Markdown. */
  tables: z.array(PassageTable).optional(),
  headingPath: z.array(z.string()),
  position: z.number().int(),
  page: z.number().int().optional(),
  /** The name of the file it was read from. */
  file: z.string().optional(),
  /** Which version of its document. */
  version: z.string().optional(),
  /** The day its document speaks for, and the documents that it amends. */
  date: z.string().optional(),
  supersedes: z.array(z.string()).optional(),
  url: z.string().optional(),
  /** What may be wrong with what was read of its page, and what is missing elsewhere in its document. */
  warnings: z.array(PassageWarning).optional(),
  /** When a page of the web was read, in ISO form. */
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
  /** The date the passage speaks for, as it writes it. */
  date: z.string().optional(),
  outdated: z.boolean().optional(),
  /** How much its source is to be trusted on this. */
  authority: Level.optional(),
  /** Health, law, money, safety: what one source alone should not decide. */
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

/** A place in a passage, word for word; a line that is only an ellipsis stands for lines that were left out. */
export const QuotedPlace = CitedPassage.extend({
  text: z.string(),
  /** Offsets in the text of the words that it shares with the question. */
  marks: z.array(z.tuple([z.number().int(), z.number().int()])),
  /** How many rows of a table are quoted, if not all. `more`: the table goes on in another passage. */
  rows: z.object({ shown: z.number().int(), of: z.number().int(), more: z.boolean().optional() }).optional(),
})
export type QuotedPlace = z.infer<typeof QuotedPlace>

/** A cited passage with what shows where it stands. */
export const Citation = CitedPassage.extend({
  ...Passage.omit({ id: true, position: true, supersedes: true, tables: true }).shape,
  collection: z.string().optional(),
})
export type Citation = z.infer<typeof Citation>

/** A quoted place with where it stands. */
export const Quote = Citation.extend({ marks: QuotedPlace.shape.marks, rows: QuotedPlace.shape.rows })
export type Quote = z.infer<typeof Quote>

/** `7 of 56 rows`; empty if nothing of a table is left out. */
export const shownRows = ({ rows }: Pick<QuotedPlace, 'rows'>): string =>
  rows === undefined ? '' : `${rows.shown} of ${rows.more ? 'more than ' : ''}${rows.of} rows`
