import { z } from 'zod'
import { PassageTable } from './table'
import { PassageWarning } from './warning'

export const Passage = z.object({
  id: z.string(),
  documentId: z.string(),
  collection: z.string(),
  title: z.string(),
  text: z.string(),
  /** The tables as cells. If an earlier version indexed the passage, its tables are only in the text, as Markdown. */
  tables: z.array(PassageTable).optional(),
  headingPath: z.array(z.string()),
  position: z.number().int(),
  page: z.number().int().optional(),
  file: z.string().optional(),
  version: z.string().optional(),
  date: z.string().optional(),
  /** The authority of the document, as its metadata states it, such as "official" or "draft". */
  authority: z.string().optional(),
  supersedes: z.array(z.string()).optional(),
  url: z.string().optional(),
  warnings: z.array(PassageWarning).optional(),
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
  date: z.string().optional(),
  outdated: z.boolean().optional(),
  authority: Level.optional(),
  /** True if the passage is about health, law, money or safety. Answers about these need more than one source. */
  sensitive: z.boolean().optional(),
})
export type Grade = z.infer<typeof Grade>

export const Evidence = Passage.extend({
  scores: Scores,
  query: z.string().optional(),
  amendedBy: z.string().optional(),
  grade: Grade.optional(),
})
export type Evidence = z.infer<typeof Evidence>

export const CitedPassage = z.object({ n: z.number().int().positive(), passageId: z.string() })
export type CitedPassage = z.infer<typeof CitedPassage>

/** A quoted part of a passage. In `text`, a line that contains only `…` stands for omitted lines. */
export const QuotedPlace = CitedPassage.extend({
  text: z.string(),
  marks: z.array(z.tuple([z.number().int(), z.number().int()])),
  /** Present if only some rows of a table are quoted. `more` is true if the table continues in another passage. */
  rows: z.object({ shown: z.number().int(), of: z.number().int(), more: z.boolean().optional() }).optional(),
})
export type QuotedPlace = z.infer<typeof QuotedPlace>

export const Citation = CitedPassage.extend({
  ...Passage.omit({ id: true, position: true, authority: true, supersedes: true, tables: true }).shape,
  collection: z.string().optional(),
})
export type Citation = z.infer<typeof Citation>

export const Quote = Citation.extend({ marks: QuotedPlace.shape.marks, rows: QuotedPlace.shape.rows })
export type Quote = z.infer<typeof Quote>

export const shownRows = ({ rows }: Pick<QuotedPlace, 'rows'>): string =>
  rows === undefined
    ? ''
    : `${rows.shown} of ${rows.more ? 'more than ' : ''}${rows.of} ${rows.of === 1 ? 'row' : 'rows'}`
