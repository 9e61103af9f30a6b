import { itemOf, joinLines, type Hyphens } from './line-text'
import { around, mainStyle, type Block, type Line } from './page'

/** The right edge of the text and the line spacing (`pitch`), in points. */
type Setting = { right: number; pitch: number }

const ends = (text: string): boolean => /[.!?:;)\]”"']$/.test(text)

/** Returns true for a form field, which is a name with a colon, followed by a value after a gap. */
const isField = ({ segments }: Line): boolean => segments.length >= 2 && /:$/.test(segments[0]?.text ?? '')

const breaks = (line: Line, before: Line, { right, pitch }: Setting, first: Line): boolean => {
  if (line.y - before.y > 1.3 * Math.max(pitch, before.bottom - before.y) || line.y < before.y - 1) return true
  if (Math.abs(line.size - before.size) > 0.12 * before.size) return true
  if (isField(line) || (isField(before) && line.x <= before.x)) return true
  const listed = itemOf(first.text) !== null
  if (itemOf(line.text) && (listed || /^[^\w]/.test(line.text) || !itemOf(before.text)))
    return /^[^\p{L}]/u.test(line.text)
  const next = line.segments[0]?.words[0]
  const room = right - before.right
  const short = next !== undefined && room > next.right - next.x + 0.4 * line.size && room > 0.04 * (right - before.x)
  if (line.bold !== before.bold && short && !listed) return true
  if (short && /[.!?:]$/.test(before.text) && /^[\p{Lu}\d(“"]/u.test(line.text) && !listed) return true
  return (
    !listed &&
    line.x - before.x > 0.8 * line.size &&
    before.x - first.x < 2 &&
    line.x - first.x < 5 * line.size &&
    line !== first &&
    ends(before.text)
  )
}

const blockOf = (lines: readonly Line[], keeps: Hyphens): Block => {
  const [first] = lines
  const item = first ? itemOf(first.text) : null
  const texts = lines.map(({ text }) => text)
  const block = { ...around(lines), ...mainStyle(lines.flatMap(({ segments }) => segments)), lines: [...lines] }
  if (item) return { ...block, kind: 'list', text: `${item.mark} ${joinLines([item.rest, ...texts.slice(1)], keeps)}` }
  return { ...block, kind: 'text', text: joinLines(texts, keeps) }
}

const indent = (x: number, lines: readonly Line[]): number => {
  const letter = lines.flatMap(({ segments }) => segments).find(({ text }) => text.length >= 3)
  const width = letter ? (letter.right - letter.x) / letter.text.length : 5
  return Math.max(0, Math.round((x - Math.min(...lines.map((line) => line.x))) / Math.max(1, width)))
}

const codeOf = (lines: readonly Line[]): Block => {
  const text = lines.map((line) =>
    line.segments.reduce((sofar, segment) => {
      const at = indent(segment.x, lines)
      return `${sofar}${' '.repeat(Math.max(sofar === '' ? 0 : 1, at - sofar.length))}${segment.text}`
    }, ''),
  )
  return { ...around(lines), kind: 'code', text: text.join('\n') }
}

const pitchOf = (lines: readonly Line[]): number => {
  const steps = lines
    .slice(1)
    .map((line, index) => line.y - (lines[index]?.y ?? 0))
    .filter((step) => step > 2)
  const sorted = [...steps].sort((a, b) => a - b)
  const usual = 1.35 * mainStyle(lines.flatMap(({ segments }) => segments)).size
  const own = sorted[Math.floor(sorted.length * 0.35)] ?? usual
  return steps.length >= 4 ? own : Math.min(own, usual)
}

const groupsOf = (lines: readonly Line[]): Line[][] => {
  const setting = { right: Math.max(...lines.map(({ right }) => right)), pitch: pitchOf(lines) }
  const groups: Line[][] = []
  for (const line of lines) {
    const group = groups.at(-1)
    const before = group?.at(-1)
    const parted =
      !group ||
      !before ||
      !group[0] ||
      line.mono !== before.mono ||
      (line.mono ? line.y - before.bottom > 2.2 * line.size : breaks(line, before, setting, group[0]))
    if (parted) groups.push([line])
    else group.push(line)
  }
  return groups
}

export const blocksOf = (lines: readonly Line[], keeps: Hyphens): Block[] =>
  groupsOf(lines).map((group) => (group.every(({ mono }) => mono) ? codeOf(group) : blockOf(group, keeps)))
