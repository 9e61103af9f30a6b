import type { RecognisedWord } from '../ocr/recognise'
import { linesOf } from './lines'
import { beside, median, middle, type Word } from './page'

const heightOf = ({ y, bottom }: RecognisedWord): number => bottom - y

const slopeOf = (words: readonly RecognisedWord[]): number => {
  const slopes = words.flatMap((word) => {
    const next = words
      .filter((other) => other.x > word.right && other.x - word.right < 3 * heightOf(word) && beside(word, other))
      .sort((a, b) => a.x - b.x)[0]
    return next ? [(middle(next) - middle(word)) / ((next.x + next.right - word.x - word.right) / 2)] : []
  })
  return median(slopes)
}

/** Heights that differ by at most this factor count as equal, because a word's height depends on its letters. */
const alike = 1.35

const sizeIn = (height: number, usual: number): number =>
  height > alike * usual || height < usual / alike ? height : usual

const style = { font: 'OCR', bold: false, mono: false, glued: false }

export const wordsOfPicture = (recognised: readonly RecognisedWord[]): Word[] => {
  const slope = slopeOf(recognised)
  const straight = recognised.map((word): Word => {
    const fall = slope * word.x
    return { ...style, ...word, y: word.y - fall, bottom: word.bottom - fall, size: heightOf(word) }
  })
  const lines = linesOf(straight)
  const heightIn = (line: readonly Word[]): number => Math.max(...line.map(({ size }) => size))
  const usual = median(lines.map(heightIn))
  return lines.flatMap((line) => {
    const size = sizeIn(heightIn(line), usual)
    const [y, bottom] = [median(line.map((word) => word.y)), median(line.map((word) => word.bottom))]
    return line.map((word) => ({ ...word, size, y, bottom }))
  })
}
