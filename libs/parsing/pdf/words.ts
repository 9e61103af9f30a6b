import type { TextItem } from '@llamaindex/liteparse'
import { unmappedCharacters } from '../text-health'
import { median, type Box, type Word } from './page'

type Font = { fontName?: string; fontWeight?: number }

const bold = /bold|black|heavy|demi|semibd|(sf|cm)bx?\d|[-,]bd|cmssbx|-md$/i
const mono =
  /mono|courier|consol|typewriter|cmtt|sftt|menlo|monaco|inconsolata|fixed|sourcecode|firacode|lucidacons|txtt|nimbusmon|gothic-?roman$/i

const isBold = ({ fontName = '', fontWeight = 0 }: Font): boolean => bold.test(fontName) || fontWeight >= 600
const isMono = ({ fontName = '' }: Font): boolean => mono.test(fontName)

/** `ascent` is the height above the baseline, and `height` is the total height. */
type Boxed = Word & { ascent: number; height: number }

const number = /^[\d.,]*\d$/
const behindSign = /^(.*[%)\]])(\d[\d,]*)$/
/** The sizes of superscript digits and their usual rise above the baseline, relative to the font size. */
const smallest = 0.45
const largest = 0.85
const usualRise = 0.36

const heightOf = ({ y, bottom }: Word): number => bottom - y
const isTall = (word: Boxed): boolean => word.height > 0 && heightOf(word) > 1.015 * word.height
const isPlain = (word: Boxed): boolean => word.height > 0 && Math.abs(heightOf(word) - word.height) < 0.01 * word.height

/** Returns the width of a text in digits. In most fonts, all digits have the same width, and a point has half of it. */
const widthIn = (text: string): number => [...text].reduce((sum, sign) => sum + (/\d/.test(sign) ? 1 : 0.5), 0)

/** Returns the width of a digit in each font, relative to the font size. */
const digitWidths = (words: readonly Boxed[]): Map<string, number> => {
  const fonts = Map.groupBy(
    words.filter((word) => isPlain(word) && number.test(word.text)),
    ({ font }) => font,
  )
  return new Map(
    [...fonts].map(([font, own]) => [
      font,
      median(own.map(({ x, right, text, size }) => (right - x) / widthIn(text) / size)),
    ]),
  )
}

type Cut = { head: string; tail: string; scale: number; off: number }

/** Splits superscript digits from their word. Their size follows from its width, and their rise from its height. */
const cutAt = (word: Boxed, digits: number, at: number): Cut => {
  const [head, tail] = [word.text.slice(0, at), word.text.slice(at)]
  const scale = ((word.right - word.x) / digits - widthIn(head)) / widthIn(tail)
  const rise = (heightOf(word) - word.height + (1 - scale) * word.ascent) / word.size
  return { head, tail, scale, off: Math.abs(rise - usualRise) }
}

const cutOf = (word: Boxed, digit: number | undefined): Cut | undefined => {
  if (digit === undefined) return undefined
  const [, head, tail] = behindSign.exec(word.text) ?? []
  if (head !== undefined && tail !== undefined) return { head, tail, scale: 0.65, off: 0 }
  if (!number.test(word.text)) return undefined
  return [1, 2, 3]
    .filter((count) => /\d$/.test(word.text.slice(0, -count)) && /^\d/.test(word.text.slice(-count)))
    .map((count) => cutAt(word, digit * word.size, word.text.length - count))
    .filter(({ scale }) => scale > smallest && scale < largest)
    .sort((a, b) => a.off - b.off)[0]
}

/** The library joins `1,204.5` and a raised `2` of a note to `1,204.52`. Only the taller box shows the raised digit. */
export const splitSuperscripts = (words: readonly Boxed[]): Word[] => {
  if (!words.some(isTall)) return [...words]
  const digits = digitWidths(words)
  return words.flatMap((word): Word[] => {
    const cut = isTall(word) && !word.turned ? cutOf(word, digits.get(word.font)) : undefined
    if (!cut) return [word]
    const middle =
      word.x + ((word.right - word.x) * widthIn(cut.head)) / (widthIn(cut.head) + cut.scale * widthIn(cut.tail))
    const head = { ...word, text: cut.head, right: middle, y: word.bottom - word.height }
    return [
      head,
      {
        ...word,
        text: cut.tail,
        x: middle,
        bottom: word.y + cut.scale * word.height,
        size: cut.scale * word.size,
        glued: true,
      },
    ]
  })
}

/** Returns the fonts whose text is unreadable, because they do not state which characters they draw. */
const garbledFonts = (items: readonly TextItem[]): Set<string | undefined> => {
  const fonts = Map.groupBy(items, ({ fontName }) => fontName)
  const count = (texts: string[], what: RegExp): number =>
    texts.reduce((total, text) => total + (text.match(what)?.length ?? 0), 0)
  const garbled = [...fonts].filter(([, own]) => {
    const texts = own.map(({ text }) => text)
    const noise = count(texts, unmappedCharacters)
    return noise > 0 && noise > 0.3 * count(texts, /\S/g)
  })
  return new Set(garbled.map(([font]) => font))
}

/** Restores wide dashes, because the library writes every dash as a hyphen. */
const dash = (text: string, width: number, size: number): string => (text === '-' && width > 0.8 * size ? '—' : text)

/** Returns the angle of a text, from 0 to 180 degrees. Slanted text is dropped, because it is a watermark. */
const turnOf = ({ rotation = 0 }: TextItem): number => Math.abs(((rotation + 180) % 360) - 180)
const isTurned = (item: TextItem): boolean => turnOf(item) > 85 && turnOf(item) < 95
const isUpright = (item: TextItem): boolean => turnOf(item) < 5 || turnOf(item) > 175

const sizeOf = ({ fontSize = 0, fontHeight, height }: TextItem): number => {
  const size = fontHeight ?? fontSize
  return size > 2 ? size : height
}

const measuresOf = ({
  fontAscent = 0,
  fontDescent = 0,
  fontSize = 0,
  fontHeight = 0,
}: TextItem): { ascent: number; height: number } => {
  const scale = fontSize > 0 ? fontHeight / fontSize : 0
  return { ascent: fontAscent * scale, height: (fontAscent - fontDescent) * scale }
}

/**
 * Returns the size of a word relative to its text item. Raised digits have a smaller size: their box is shorter than a
 * letter and ends above the bottom of the line.
 */
const smaller = (box: { y: number; height: number; text: string }, item: TextItem, height: number): number =>
  /^\d[\d,]*$/.test(box.text) && box.height < 0.9 * height && box.y + box.height < item.y + item.height - 0.1 * height
    ? box.height / height
    : 1

const boxOf = ({ x, y, width, height }: { x: number; y: number; width: number; height: number }): Box => ({
  x,
  y,
  right: x + width,
  bottom: y + height,
})

/**
 * Some symbol fonts state a wrong letter height. If it is more than the font size times this factor, it is ignored. In
 * 112 PDFs, no word had a factor from 1.5 to 1.7.
 */
const tallest = 1.6
const usual = { ascent: 0.75, height: 1 }

const split = (item: TextItem): Boxed[] => {
  const size = sizeOf(item)
  const told = measuresOf(item)
  const isTooTall = told.height > tallest * size
  const measures = isTooTall ? { ascent: usual.ascent * size, height: usual.height * size } : told
  const onItsFoot = (box: Box): Box => {
    const y = box.y + told.ascent - measures.ascent
    return isTooTall ? { ...box, y, bottom: y + measures.height } : box
  }
  const style = { size, font: item.fontName ?? '', bold: isBold(item), mono: isMono(item), ...measures }
  const turned = (item.rotation ?? 0) > 180 || (item.rotation ?? 0) < 0 ? 'up' : 'down'
  if (isTurned(item)) return [{ ...style, text: item.text.trim(), glued: false, turned, ...boxOf(item) }]
  const boxes = item.words?.length ? item.words : [item]
  let at = 0
  return boxes.map((box, index) => {
    const text = box.text.trim()
    const found = item.text.indexOf(text, at)
    const glued = index > 0 && found >= 0 && !/\s/.test(item.text.slice(at, found)) && found === at
    at = found >= 0 ? found + text.length : at
    return {
      ...style,
      size: size * smaller(box, item, measures.height),
      text: dash(text, box.width, size),
      glued,
      ...onItsFoot(boxOf(box)),
    }
  })
}

export const wordsOf = (items: readonly TextItem[]): Word[] => {
  const garbled = garbledFonts(items)
  const words = items
    .filter((item) => (isUpright(item) || isTurned(item)) && !garbled.has(item.fontName))
    .flatMap(split)
  for (const word of words) word.text = word.text.replace(unmappedCharacters, '')
  return splitSuperscripts(words.filter(({ text }) => text !== ''))
}
