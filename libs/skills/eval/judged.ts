import { auc } from './data'

/** One row of a set as a skill judged it: its score, whether that should be high, and what it shares with other rows. */
export type Judged = { key: string; kind: string; score: number; good: boolean }

/** How well good rows score above bad ones, and how many rows are judged right where `score` is 1 or 0. */
export const figures = {
  AUC: (rows: Judged[]): number =>
    auc(
      rows.filter(({ good }) => good).map(({ score }) => score),
      rows.filter(({ good }) => !good).map(({ score }) => score),
    ),
  right: (rows: Judged[]): number =>
    rows.filter(({ score, good }) => score >= 0.5 === good).length / Math.max(1, rows.length),
}

/** The same for ever, so that what was tuned on one half is told apart by the other: FNV-1a. */
const hash = (text: string): number =>
  Array.from(text).reduce((sum, sign) => Math.imul(sum ^ (sign.codePointAt(0) ?? 0), 16_777_619) >>> 0, 2_166_136_261)

/** Rows of one question stay together. */
export const isHeldOut = ({ key }: Pick<Judged, 'key'>): boolean => (hash(key) >>> 7) % 2 === 1
