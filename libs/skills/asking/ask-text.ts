import { AppError } from '@plumbline/platform'
import type { Asking } from './asking'
import { askFor, repairOf } from './asking'

type Text<In> = Asking<In> & {
  /** What cannot be used as it stands; null: nothing. It is repaired once, unless somebody has already seen it. */
  faultIn?: (text: string) => Promise<string | null>
  onDelta?: (text: string) => void
}

export type AskedText = { kind: 'answered'; text: string } | { kind: 'refused'; reason: string }

/** A model's answer as text. Empty text is malformed; any other fault is the caller's to bear if the repair leaves it. */
export const askText = async <In>({ faultIn, onDelta, ...asking }: Text<In>): Promise<AskedText> => {
  const ask = askFor(asking)
  const first = await ask({ ...(onDelta && { onDelta }) })
  if (first.kind === 'refused') return first
  const empty = first.text.trim() === ''
  const fault = empty ? 'It is empty.' : onDelta ? null : ((await faultIn?.(first.text)) ?? null)
  if (fault === null) return first
  const second = await ask({ repair: repairOf(first.text, fault), ...(empty && onDelta && { onDelta }) })
  if (second.kind === 'refused' || second.text.trim() !== '') return second
  if (!empty) return first
  throw new AppError('model.malformed', 'never', { cause: new Error(`${asking.prompt.name}: the text is empty`) })
}
