import type { TextItem } from '@llamaindex/liteparse'
import { isBold, isMono } from './fonts'
import type { Box, Word } from './page'
import type { Boxed } from './raised-digits'
import { withoutRaised } from './raised-digits'

const unmapped = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffd\ue000-\uf8ff]/g

/** Fonts that do not say which letters they draw: their text is noise. */
const garbledFonts = (items: readonly TextItem[]): Set<string | undefined> => {
  const fonts = Map.groupBy(items, ({ fontName }) => fontName)
  const count = (texts: string[], what: RegExp): number =>
    texts.reduce((total, text) => total + (text.match(what)?.length ?? 0), 0)
  const garbled = [...fonts].filter(([, own]) => {
    const texts = own.map(({ text }) => text)
    return count(texts, unmapped) > 0.3 * count(texts, /\S/g)
  })
  return new Set(garbled.map(([font]) => font))
}

/** The library writes every dash as a hyphen; a lone one shows by its width which it was. */
const dash = (text: string, width: number, size: number): string => (text === '-' && width > 0.8 * size ? '—' : text)

/** Degrees from upright. Text on a slant is a watermark. */
const turnOf = ({ rotation = 0 }: TextItem): number => Math.abs(((rotation + 180) % 360) - 180)
const isTurned = (item: TextItem): boolean => turnOf(item) > 85 && turnOf(item) < 95
const isUpright = (item: TextItem): boolean => turnOf(item) < 5 || turnOf(item) > 175

const sizeOf = ({ fontSize = 0, fontHeight, height }: TextItem): number => {
  const size = fontHeight ?? fontSize
  return size > 2 ? size : height
}

/** The font's own measures, in the size it is set in. */
const measuresOf = ({
  fontAscent = 0,
  fontDescent = 0,
  fontSize = 0,
  fontHeight = 0,
}: TextItem): { ascent: number; height: number } => {
  const scale = fontSize > 0 ? fontHeight / fontSize : 0
  return { ascent: fontAscent * scale, height: (fontAscent - fontDescent) * scale }
}

/** Digits in a lower box than their font's, and off its foot, are set smaller. */
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

/** The words of an item, told apart by where they stand in its text. */
const split = (item: TextItem): Boxed[] => {
  const size = sizeOf(item)
  const measures = measuresOf(item)
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
      ...boxOf(box),
    }
  })
}

export const wordsOf = (items: readonly TextItem[]): Word[] => {
  const garbled = garbledFonts(items)
  const words = items
    .filter((item) => (isUpright(item) || isTurned(item)) && !garbled.has(item.fontName))
    .flatMap(split)
    .map((word) => ({ ...word, text: word.text.replace(unmapped, '') }))
    .filter(({ text }) => text !== '')
  return withoutRaised(words)
}
