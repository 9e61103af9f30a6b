import type { Vocabulary } from '@plumbline/knowledge/tables'
import { fold } from '@plumbline/knowledge/text'
import { selectionIn } from '../reading/selection'
import type { Finding } from './verdict'
import { contradicted, supported } from './verdict'

const listing = /^(the .+)\s(?:is|are)\s+(.+?)\.?$/i
const named = (list: string): string[] => list.split(/,\s+|\s+and\s+/).map((name) => fold(name.trim()))

/** `The missions whose target is Venus are A and B`: these rows, no other and all of them. Null where the claim is no such list. */
export const againstSelection = (claim: string, { tables }: Vocabulary): Finding | null => {
  const [, head = '', list = ''] = listing.exec(claim.trim()) ?? []
  const selection = head === '' ? null : selectionIn(head, tables)
  if (!selection) return null
  const rows = selection.rows.flatMap(named)
  const said = named(list)
  const { passageId, name } = selection.table
  const wrong = said.find((each) => !rows.includes(each))
  const left = rows.find((each) => !said.includes(each))
  const where = `“${selection.header}” of “${name}”`
  if (wrong !== undefined) return contradicted(`${where} does not say ${selection.value} for ${wrong}.`, passageId)
  if (left !== undefined) return contradicted(`${where} says ${selection.value} for ${left} too.`, passageId)
  return supported(`${where} says ${selection.value} for these rows and no other.`, passageId)
}
