import type { Quantity } from '@plumbline/knowledge/text'
import { numbers } from '@plumbline/knowledge/text'
import type { Cell } from '@plumbline/knowledge/tables'
import { signed } from '@plumbline/knowledge/tables'

const decimals = (raw: string): number => /\.(\d+)/.exec(raw)?.[1]?.length ?? 0
const roughly = /\b(?:about|approximately|around|roughly|nearly|almost|some|circa|ca\.)\s*$|[~≈]\s*$/i

/** Rounded only where the claim says so. */
export const sameValue = (claimed: Quantity, held: number, before = ''): boolean => {
  if (Math.abs(claimed.value - held) < 1e-9) return true
  const unit = 10 ** -decimals(claimed.raw)
  return roughly.test(before) && Math.abs(claimed.value - held) <= unit / 2 + 1e-9
}

const spelled = (text: string): Quantity[] => numbers(signed(text)).filter(({ raw }) => /\d/.test(raw))

const scales: Record<string, number> = { thousand: 1e3, million: 1e6, billion: 1e9 }
/** `EUR million` over a column: its 21.5 may be told as 21.5 million. */
const scaleOf = ({ table, column }: Cell): number => {
  const said =
    /\b(thousand|million|billion)s?\b/i.exec(`${table.columns[column]?.header ?? ''} ${table.context}`)?.[1] ?? ''
  return scales[said.toLowerCase()] ?? 1
}

/** The cell's own unit, or the one its header or caption gives. */
const unitOf = (cell: Cell): string | null => {
  const own = spelled(cell.text)[0]?.unit ?? ''
  if (own !== '') return own
  const around = `${cell.table.columns[cell.column]?.header ?? ''} ${cell.table.context}`
  return /%|\bpercent/i.test(around) ? '%' : null
}

export type Match = 'same' | 'other-value' | 'other-unit' | 'no-number'

const losing = /\b(?:loss(?:es)? of|negative|minus)\s*[$€£]?\s*$/i
/** `(12,480)` said of a cell in brackets, or a loss of 12,480. */
const asMeant = (claimed: Quantity, { text }: Cell, before: string): Quantity => {
  const bracketed = signed(text) !== text.trim() && /\([$€£]?\s*$/.test(before)
  return bracketed || losing.test(before) ? { ...claimed, value: -Math.abs(claimed.value) } : claimed
}

export const matchCell = (said: Quantity, cell: Cell, before: string): Match => {
  const claimed = asMeant(said, cell, before)
  const held = spelled(cell.text)
  if (held.length === 0) return 'no-number'
  const scale = /(?:thousand|million|billion|[kmb]n?)$/i.test(claimed.raw) ? scaleOf(cell) : 1
  const same = held.filter(
    ({ value }) => sameValue(claimed, value, before) || sameValue(claimed, value * scale, before),
  )
  if (same.length === 0) return 'other-value'
  const otherwise = same.every(({ unit }) => unit !== '' && claimed.unit !== '' && unit !== claimed.unit)
  return otherwise || (claimed.unit === '%' && unitOf(cell) !== '%') ? 'other-unit' : 'same'
}
