import type { ParsedPage } from '@llamaindex/liteparse'
import type { Rule, Rules } from './page'

export type Turn = 'clockwise' | 'anticlockwise' | 'none'
type Placed = { x: number; y: number; width: number; height: number }

/** Which way most of a page's letters were turned. */
export const turnOf = ({ textItems }: Pick<ParsedPage, 'textItems'>): Turn => {
  const letters = { 0: 0, 90: 0, 270: 0 }
  for (const { rotation = 0, text } of textItems) {
    const turn = (Math.round(rotation / 90) * 90 + 360) % 360
    if (turn === 0 || turn === 90 || turn === 270) letters[turn] += text.length
  }
  if (letters[90] > letters[0] + letters[270]) return 'clockwise'
  return letters[270] > letters[0] + letters[90] ? 'anticlockwise' : 'none'
}

type Sizes = Pick<ParsedPage, 'width' | 'height'>

const turnedBox = <T extends Placed>(box: T, { width, height }: Sizes, turn: Turn): T => ({
  ...box,
  ...(turn === 'clockwise' ? { x: box.y, y: width - box.x - box.width } : { x: height - box.y - box.height, y: box.x }),
  width: box.height,
  height: box.width,
})

/** The page as it is held to be read. */
export const upright = <T extends Pick<ParsedPage, 'width' | 'height' | 'textItems'>>(page: T, turn: Turn): T =>
  turn === 'none'
    ? page
    : {
        ...page,
        width: page.height,
        height: page.width,
        textItems: page.textItems.map((item) => ({
          ...turnedBox(item, page, turn),
          rotation: (item.rotation ?? 0) + (turn === 'clockwise' ? -90 : 90),
          ...(item.words && { words: item.words.map((word) => turnedBox(word, page, turn)) }),
        })),
      }

const mirrored = (rules: readonly Rule[], by: number): Rule[] => rules.map((rule) => ({ ...rule, at: by - rule.at }))
const reversed = (rules: readonly Rule[], by: number): Rule[] =>
  rules.map(({ at, from, to }) => ({ at, from: by - to, to: by - from }))

export const turnedRules = ({ across, down }: Rules, { width, height }: Sizes, turn: Turn): Rules => {
  if (turn === 'none') return { across, down }
  return turn === 'clockwise'
    ? { across: mirrored(down, width), down: reversed(across, width) }
    : { across: reversed(down, height), down: mirrored(across, height) }
}
