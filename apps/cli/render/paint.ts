import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]
const styles = {
  bold: 'bold',
  dim: 'dim',
  good: 'green',
  bad: 'red',
  warn: 'yellow',
  accent: 'cyan',
  marked: ['red', 'underline'],
} as const satisfies Record<string, Style>
export type Paint = Record<keyof typeof styles, (text: string) => string>

const painter = (on: boolean): Paint => {
  const paint = (style: Style) => (text: string) =>
    on && text !== '' ? styleText(style, text, { validateStream: false }) : text
  return {
    bold: paint(styles.bold),
    dim: paint(styles.dim),
    good: paint(styles.good),
    bad: paint(styles.bad),
    warn: paint(styles.warn),
    accent: paint(styles.accent),
    marked: paint([...styles.marked]),
  }
}
export const plain = painter(false)
export const coloured = painter(true)

/** Colours only for a person at a terminal who did not refuse them. */
export const paintFor = (stream: { isTTY?: boolean }, env: Record<string, string | undefined>): Paint =>
  stream.isTTY && !env.NO_COLOR && env.TERM !== 'dumb' ? coloured : plain

export type Screen = { paint: Paint; width: number }
