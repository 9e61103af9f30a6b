import type { TextItem } from '@llamaindex/liteparse'
import { isBold, isMono } from './fonts'
import type { Word } from './page'

// eslint-disable-next-line no-control-regex -- a font without a map to letters gives control characters
const unmapped = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffd\ue000-\uf8ff]/g

/** Text whose font does not say which letters it draws is noise. */
const garbled = (text: string): boolean => (text.match(unmapped)?.length ?? 0) > 0.3 * text.replace(/\s/g, '').length

/** The library writes every dash as a hyphen; a lone one shows by its width which it was. */
const dash = (text: string, width: number, size: number): string =>
  text === '-' && width > 0.8 * size ? '—' : text

const upright = ({ rotation = 0 }: TextItem): boolean => Math.abs(((rotation + 180) % 360) - 180) < 5

const sizeOf = ({ fontSize = 0, fontHeight, height }: TextItem): number => {
  const size = fontHeight ?? fontSize
  return size > 2 ? size : height
}

/** The words of an item, told apart by where they stand in its text. */
const split = (item: TextItem): Word[] => {
  const size = sizeOf(item)
  const style = { size, font: item.fontName ?? '', bold: isBold(item), mono: isMono(item) }
  const boxes = item.words?.length ? item.words : [{ ...item }]
  let at = 0
  return boxes.map((box, index) => {
    const text = box.text.trim()
    const found = item.text.indexOf(text, at)
    const glued = index > 0 && found >= 0 && !/\s/.test(item.text.slice(at, found)) && found === at
    at = found >= 0 ? found + text.length : at
    return {
      ...style,
      text: dash(text, box.width, size),
      glued,
      x: box.x,
      y: box.y,
      right: box.x + box.width,
      bottom: box.y + box.height,
    }
  })
}

export const wordsOf = (items: readonly TextItem[]): Word[] =>
  items
    .filter((item) => upright(item) && !garbled(item.text))
    .flatMap(split)
    .map((word) => ({ ...word, text: word.text.replace(unmapped, '') }))
    .filter(({ text }) => text !== '')
