import type { DocumentWarning } from '@plumbline/contracts'
import { ranges } from '../page-ranges'
import { isRightToLeft } from '../text-health'
import type { Page, PageWarning } from './page'

const words: Record<PageWarning, (where: string) => string> = {
  'no-text': (where) =>
    `${where} has content, but no readable text. Check the original. Scan the original again, sharper and upright, or upload its text.`,
  unreadable: (where) => `${where} could not be opened. Export or print the PDF again and upload the new file.`,
  'damaged-text': (where) =>
    `The text of ${where} is damaged: letters are missing or unreadable. Compare the text with the original, or export the PDF again.`,
  'wrong-encoding': (where) =>
    `The text of ${where} was saved in a wrong encoding: accented letters and signs were replaced by other characters. Compare the text with the original.`,
  overprinted: (where) =>
    `On ${where} different texts overlap, so words may be mixed up or missing. Compare the text with the original, or export the PDF again.`,
  ocr: (where) =>
    `The text of ${where} was read from a picture by OCR: single letters and digits may be wrong. Compare names and figures with the original.`,
  doubtful: (where) =>
    `OCR was unsure of many letters of ${where}: words and figures may be wrong or missing there. Scan the original again, sharper and straight, or upload its text.`,
  'right-to-left': (where) =>
    `On ${where} lines run from right to left, so their words may be in the wrong order. Compare the text with the original.`,
}

const tooLate = 'The time for OCR ended before all of these pages were read: split the document.'

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const warning = (kind: PageWarning, pages: readonly number[], late = false): DocumentWarning[] =>
  pages.length === 0
    ? []
    : [
        {
          kind: kind === 'overprinted' ? 'damaged-text' : kind === 'doubtful' ? 'ocr' : kind,
          pages: [...pages],
          words: `${capital(words[kind](ranges(pages)))}${late ? ` ${tooLate}` : ''}`,
        },
      ]

const textOf = ({ words: own }: Page): string => own.map(({ text }) => text).join(' ')

export const pageWarnings = (pages: readonly Page[], failed: readonly number[]): DocumentWarning[] => {
  const lacking = pages.filter(({ words: own, blank }) => own.length === 0 && !blank)
  const read = pages.filter((page) => !lacking.includes(page))
  const numbers = (some: readonly Page[]): number[] => some.map(({ number }) => number)
  return [
    ...warning(
      'no-text',
      numbers(lacking),
      lacking.some(({ late }) => late),
    ),
    ...warning('unreadable', failed),
    ...(['damaged-text', 'wrong-encoding', 'overprinted', 'doubtful', 'ocr'] as const).flatMap((kind) =>
      warning(kind, numbers(read.filter((page) => page.warning === kind))),
    ),
    ...warning('right-to-left', numbers(read.filter((page) => isRightToLeft(textOf(page))))),
  ]
}
