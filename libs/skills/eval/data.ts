import { existsSync, readFileSync } from 'node:fs'
import type { Evidence, Passage } from '@plumbline/contracts'
import { chunk } from '@plumbline/knowledge/chunking'
import type { Call } from '../index'

/** Data to test with stands beside the repository, or where EVAL_DATA says; a suite that needs it is skipped, loudly, where it is not. */
export const root = process.env['EVAL_DATA'] ?? '../shared/data'
export const hasData = existsSync(root)
export const hasSet = (file: string): boolean => existsSync(`${root}/${file}`)
export const skippedWithout = (what: string): string => (hasData ? what : `${what} — SKIPPED: no ${root}`)

export const rowsOf = <T>(file: string): T[] =>
  readFileSync(`${root}/${file}`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T)

export const passagesOf = (file: string, title: string): Passage[] =>
  chunk(
    { id: file, collection: 'eval', title },
    { markup: 'markdown', parts: [{ text: readFileSync(`${root}/${file}`, 'utf8') }] },
  )

export const asEvidence = (passage: Partial<Passage> & { text: string }): Evidence => ({
  id: 'p1',
  documentId: 'd1',
  collection: 'eval',
  title: '',
  headingPath: [],
  position: 0,
  scores: {},
  ...passage,
})

export const call: Call = { signal: new AbortController().signal, tier: 'small', temperature: 0 }

/** The chance that a good one scores above a bad one. */
export const auc = (good: number[], bad: number[]): number => {
  const wins = good.flatMap((a) => bad.map((b): number => (a > b ? 1 : a === b ? 0.5 : 0)))
  return wins.reduce((sum, win) => sum + win, 0) / Math.max(1, wins.length)
}

export const tell = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

/** A document's own words before its first table, and its headings: what a person would describe it by. */
export const describedBy = (file: string): string => {
  const markdown = readFileSync(`${root}/${file}`, 'utf8')
  const headings = markdown.split('\n').filter((line) => line.startsWith('#'))
  const opening = markdown.slice(0, markdown.indexOf('\n## ')).replace(/^#.*$/m, '')
  return `${opening}\n${headings.map((line) => line.replace(/^#+\s*/, '')).join('. ')}`
}
