import { markdownBlocks } from '@plumbline/knowledge/chunking'
import { sentences } from '@plumbline/knowledge/text'
import type { Shown, ShownPassage } from './shown'

const segmenter = new Intl.Segmenter('en', { granularity: 'word' })
const marks = /\s?\[\d+(?:\s*,\s*\d+)*\]/g

export const withoutMarks = (text: string): string => text.replace(marks, '')

/** The words and numbers of a text, in order and in lower case. */
export const wordsOf = (text: string): string[] =>
  Array.from(segmenter.segment(withoutMarks(text).normalize('NFKC').toLowerCase()))
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment)

/** Those that may tell what a text is about: short ones stand everywhere. */
export const longWords = (text: string): string[] => wordsOf(text).filter((word) => word.length >= 4)

/** The long words of a question that stand in a text, each once. */
export const sharedWords = (question: string, text: string): string[] => {
  const there = new Set(wordsOf(text))
  return [...new Set(longWords(question))].filter((word) => there.has(word))
}

/** A sentence, or a row of a table with its header in words; `words`: all that it is read with. */
export type Place = { text: string; words: string; telling: boolean }

const cellsOf = (line: string): string[] =>
  line
    .replace(/^\s*\||\|\s*$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())

const rowOf = (header: string, line: string): Place => {
  const names = cellsOf(header)
  const pairs = cellsOf(line).flatMap((cell, at) => (cell === '' ? [] : [[names[at], cell].filter(Boolean)]))
  return { text: pairs.map((pair) => pair.join(' is ')).join(', '), words: `${header} ${line}`, telling: true }
}

/** A line that goes on from the one before, as it begins no list item. */
const softBreak = /\n(?!\s*(?:[-*+•>]|\d{1,3}[.)])\s)/g
const listMark = /^\s*(?:[-*+•>]|\d{1,3}[.)])\s+/

/** What a passage says, in order: each sentence, and each row of its tables. */
export const placesIn = ({ body }: ShownPassage): Place[] =>
  markdownBlocks(body, false).flatMap((block): Place[] => {
    const [first = '', , ...rows] = block.text.split('\n')
    if (block.kind === 'table' && first.includes('|')) return rows.map((row) => rowOf(first, row))
    const told = block.kind === 'prose' ? block.text.replace(softBreak, ' ').split('\n') : [block.text]
    return told
      .flatMap((line) => sentences(line.replace(listMark, '')))
      .map(withoutMarks)
      .map((text) => ({
        text,
        words: text,
        telling: block.kind !== 'heading' && block.kind !== 'code' && !text.endsWith('?'),
      }))
  })

/** Where one part of a question ends and the next begins, as far as a modest reader sees it. */
const borders = /;\s+| and /
export const isSimple = (question: string): boolean => !question.includes(' and ') && !question.includes(';')

/** The parts of a question, at most so many: the last has all that is left. */
export const partsOf = (question: string, most: number): string[] => {
  const parts = question
    .split(borders)
    .map((part) => part.trim().replace(/[,;]$/, ''))
    .filter(Boolean)
  return [...parts.slice(0, most - 1), parts.slice(most - 1).join(' and ')].filter(Boolean)
}

/** The steps a prompt names, or else its question. */
export const stepsIn = ({ lines, one }: Shown): string[] => {
  const steps = lines('steps').map((line) => line.replace(/^(?:-|\d+\.) /, ''))
  return steps.length > 0 ? steps : [one('question')]
}
