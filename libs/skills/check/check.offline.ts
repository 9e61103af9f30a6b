import type { Claim, Evidence, Support } from '@plumbline/contracts'
import { exactCells } from '@plumbline/knowledge/cells/exact-cells'
import { type Piece, piecesOf } from '@plumbline/knowledge/claims/pieces'
import { standsWordForWord } from '@plumbline/knowledge/claims/word-for-word'
import type { Check, CheckPart } from '../skill/skill'

export const supportOf = (claims: Claim[]): Support => {
  const supported = claims.filter(({ verdict }) => verdict === 'supported').length
  if (claims.length > 0 && supported === claims.length) return 'full'
  return supported > 0 ? 'partial' : 'none'
}

const kindOf = ({ text }: Piece): Claim['kind'] => (/\p{N}/u.test(text) ? 'number' : 'fact')
const bare = (text: string): string => text.replace(/[.\s]+$/, '')

type Scene = { cited: Evidence[]; cells: Map<string, string[]> }

const judged = (piece: Piece, { cited, cells }: Scene): Claim => {
  const { text } = piece
  const claim = { text, kind: kindOf(piece) }
  const read = cells.get(bare(text))
  if (read?.some((id) => cited.some((passage) => passage.id === id)))
    return {
      ...claim,
      verdict: 'supported',
      reason: 'The table contains exactly this value.',
      passageId: read[0] ?? null,
    }
  const found = standsWordForWord(text, cited)
  if (found)
    return {
      ...claim,
      verdict: 'supported',
      reason: 'The cited passage contains this statement word for word.',
      ...found,
    }
  const reason = cited.length === 0 ? 'The statement cites no passage.' : 'Not decided without a model.'
  return { ...claim, verdict: 'unsupported', reason, passageId: null }
}

/**
 * Checks a draft without a model. A claim is supported if its cited passage contains it word for word, or if it is the
 * sentence that `exactCells` makes from a table cell.
 */
export const offlineCheck: Check = async ({ question, steps, text, citations, evidence }, { signal }) => {
  signal.throwIfAborted()
  const asked = new Set(steps.length > 1 ? steps : [question, ...steps])
  const cells = new Map(
    [...asked]
      .flatMap((each) => exactCells(each, evidence) ?? [])
      .map((cell): [string, string[]] => [bare(cell.text), cell.passageIds]),
  )
  const claims = piecesOf(text).map((piece) => {
    const ids = citations.filter(({ n }) => piece.marks.includes(n)).map(({ passageId }) => passageId)
    return judged(piece, { cited: evidence.filter(({ id }) => ids.includes(id)), cells })
  })
  return { claims, parts: [], support: supportOf(claims), confidence: 1, tooBroad: false }
}

/** Without a model, no claim passes an early check, so nothing is released before the draft is complete. */
export const offlineCheckPart: CheckPart = () => Promise.resolve({ claims: [], key: '' })
