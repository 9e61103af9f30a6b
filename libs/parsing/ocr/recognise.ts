import type Sharp from 'sharp'
import { picturePdf, compressPixels, type Picture, type Size } from './picture-pdf'
import { skewOf } from './skew'

/** `languages` joins the codes of the languages, as in `eng+deu`. */
export type OcrData = { folder: string; languages: string }

/** Positions are in points from the top left of the image. */
export type RecognisedWord = { text: string; x: number; y: number; right: number; bottom: number }
/** `confidence` is Tesseract's average confidence in the letters, from 0 to 1. */
export type Recognised = Size & { words: RecognisedWord[]; confidence: number }

/** The highest resolution in dpi. `mostDots` is about the number of pixels of an A4 page at this resolution. */
const finest = 300
const mostDots = 9_000_000

export const dotsAnInch = ({ width, height }: Size): number =>
  Math.max(18, Math.min(finest, Math.floor(72 * Math.sqrt(mostDots / Math.max(1, width * height)))))

type Item = { text: string; x: number; y: number; width: number; height: number; confidence?: number }

/** Splits an item into words, because the library joins words that are close to each other. */
const wordsIn = ({ text, x, y, width, height }: Item): RecognisedWord[] =>
  [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => ({
    text: word,
    x: x + (width * index) / text.length,
    right: x + (width * (index + word.length)) / text.length,
    y,
    bottom: y + height,
  }))

const lettersIn = (items: readonly Item[]): number =>
  items.reduce((sum, { text }) => sum + (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0), 0)

const sure = 0.6
const sureLettersIn = (items: readonly Item[]): number =>
  lettersIn(items.filter(({ confidence = 0 }) => confidence >= sure))

const confidenceOf = (items: readonly Item[]): number =>
  items.reduce((sum, item) => sum + lettersIn([item]) * (item.confidence ?? 0), 0) / Math.max(1, lettersIn(items))

/** Returns true if most words are upright. Words that are turned by 90 degrees have boxes that are taller than wide. */
const isUpright = (items: readonly Item[]): boolean => {
  const long = items.filter(({ text }) => text.length > 3)
  return long.filter(({ width, height }) => width > height).length >= 0.5 * long.length
}

/** The rotations of the image in degrees, in the order in which they are tried. */
const turns = [0, 90, 270, 180]
/** OCR must be sure of more than this share of the letters. Noise, drawings and upside-down text rarely reach it. */
const leastSure = 0.5
const plainlySure = 0.8

type Straight = Picture & { skew: number }

/** Rotates a tilted image, because Tesseract misses words in lines that are tilted by only two degrees. */
const straightened = async (
  sharp: typeof Sharp,
  picture: Uint8Array,
  turn: number,
): Promise<Straight & { from: Size }> => {
  const turned = await sharp(picture).rotate(turn).grayscale().raw().toBuffer({ resolveWithObject: true })
  const { width, height } = turned.info
  const skew = skewOf({ data: turned.data, width, height })
  const level =
    skew === 0
      ? turned
      : await sharp(turned.data, { raw: { width, height, channels: 1 } })
          .rotate(-skew, { background: 'white' })
          .grayscale()
          .raw()
          .toBuffer({ resolveWithObject: true })
  return {
    packed: compressPixels(level.data),
    width: level.info.width,
    height: level.info.height,
    skew,
    from: { width, height },
  }
}

const tilted = (word: RecognisedWord, skew: number, level: Size, page: Size): RecognisedWord => {
  const [sin, cos] = [Math.sin((skew * Math.PI) / 180), Math.cos((skew * Math.PI) / 180)]
  const [x, y] = [(word.x + word.right - level.width) / 2, (word.y + word.bottom - level.height) / 2]
  const [right, down] = [page.width / 2 + x * cos - y * sin, page.height / 2 + x * sin + y * cos]
  const [wide, high] = [(word.right - word.x) / 2, (word.bottom - word.y) / 2]
  return { ...word, x: right - wide, right: right + wide, y: down - high, bottom: down + high }
}

export const recognise = async (
  picture: Uint8Array,
  size: Size,
  { folder, languages }: OcrData,
): Promise<Recognised | undefined> => {
  const [{ default: sharp }, { LiteParse }] = await Promise.all([import('sharp'), import('@llamaindex/liteparse')])
  const reader = new LiteParse({
    ocrEnabled: true,
    ocrLanguage: languages,
    tessdataPath: folder,
    numWorkers: 1,
    dpi: dotsAnInch(size),
    quiet: true,
  })
  let best: { letters: number; recognised: Recognised } | undefined
  for (const turn of turns) {
    const page = turn % 180 === 0 ? size : { width: size.height, height: size.width }
    const { skew, from, ...straight } = await straightened(sharp, picture, turn)
    const level = {
      width: (page.width * straight.width) / from.width,
      height: (page.height * straight.height) / from.height,
    }
    const pdf = picturePdf([{ ...straight, page: level }])
    const items = (await reader.parse(pdf)).pages.flatMap(({ textItems }) => textItems)
    const [letters, all] = [sureLettersIn(items), lettersIn(items)]
    if (letters <= leastSure * all || !isUpright(items) || letters <= (best?.letters ?? 0)) continue
    const words = items.flatMap(wordsIn).map((word) => tilted(word, skew, level, page))
    best = { letters, recognised: { ...page, words, confidence: confidenceOf(items) } }
    if (letters > plainlySure * all) break
  }
  return best?.recognised
}
