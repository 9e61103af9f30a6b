import type { Quantity } from '@plumbline/knowledge/text'
import { numbers } from '@plumbline/knowledge/text'
import type { Cell } from '@plumbline/knowledge/tables'

const decimals = (raw: string): number => /\.(\d+)/.exec(raw)?.[1]?.length ?? 0
const roughly = /\b(?:about|approximately|around|roughly|nearly|almost|some|circa|ca\.)\s*$|[~≈]\s*$/i

/** Rounded only where the claim says so. */
export const sameValue = (claimed: Quantity, held: number, before = ''): boolean => {
  if (Math.abs(claimed.value - held) < 1e-9) return true
  const unit = 10 ** -decimals(claimed.raw)
  return roughly.test(before) && Math.abs(claimed.value - held) <= unit / 2 + 1e-9
}

const spelled = (text: string): Quantity[] => numbers(text).filter(({ raw }) => /\d/.test(raw))

/** The cell's own unit, or the one its header or caption gives. */
const unitOf = (cell: Cell): string | null => {
  const own = spelled(cell.text)[0]?.unit ?? ''
  if (own !== '') return own
  const around = `${cell.table.columns[cell.column]?.header ?? ''} ${cell.table.context}`
  return /%|\bpercent/i.test(around) ? '%' : null
}

export type Match = 'same' | 'other-value' | 'other-unit' | 'no-number'

export const matchCell = (claimed: Quantity, cell: Cell, before: string): Match => {
  const held = spelled(cell.text)
  if (held.length === 0) return 'no-number'
  if (!held.some(({ value }) => sameValue(claimed, value, before))) return 'other-value'
  const unit = unitOf(cell)
  return (claimed.unit === '%' && unit !== '%') ||
    (unit !== null && unit !== '%' && claimed.unit !== '' && claimed.unit !== unit && claimed.unit === '%')
    ? 'other-unit'
    : 'same'
}
