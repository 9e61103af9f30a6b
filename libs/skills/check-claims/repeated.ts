import type { Evidence } from '@plumbline/contracts'
import { tokens } from '@plumbline/knowledge/text'
import { unitsOf } from '../reading/units'

const line = (text: string): string => tokens(text).join(' ')
const takenBack =
  /^(?:but\s+)?(?:this|that|it|which)\s+(?:is|was|has)\s+(?:not|no longer|never|wrong|false|untrue|incorrect|a (?:myth|mistake|misunderstanding)|outdated)\b/i

/** Whether a claim is a sentence of the passage, word for word, and whether the next one takes it back. */
export const repeatedIn = (claim: string, passage: Evidence): 'said' | 'taken-back' | null => {
  const said = line(claim)
  const units = unitsOf(passage)
  const at = units.findIndex(({ kind, text }) => kind !== 'row' && line(text) === said)
  return at < 0 ? null : takenBack.test(units[at + 1]?.text ?? '') ? 'taken-back' : 'said'
}
