import type { Evidence } from '@plumbline/contracts'
import { piecesOf } from '@plumbline/knowledge/claims'
import type { Numbered } from '../asking/passages'
import type { Drafted } from '../skill'
import { withFigures } from './calculations'

type Scene = { question: string; passages: readonly Numbered[] }

/** What cannot be checked as it stands; null: nothing. A figure that was worked out from the question alone has no passage to cite. */
export const faultIn = async (draft: string, scene: Scene): Promise<string | null> => {
  const { text, workings, faults } = await withFigures(draft, scene)
  const known = new Set(scene.passages.map(({ n }) => n))
  const worked = new Set(workings.map(({ what }) => what))
  const uncited = piecesOf(text).filter(({ text, marks }) => !marks.some((n) => known.has(n)) && !worked.has(text))
  const missing = uncited.map((piece) => `No passage that was given is cited by: ${piece.text}`)
  return [...faults, ...missing].join('\n') || null
}

export const drafted = async (draft: string, scene: Scene): Promise<Drafted> => {
  const { text, workings } = await withFigures(draft.trim(), scene)
  const used = new Set(piecesOf(text).flatMap(({ marks }) => marks))
  const citations = scene.passages.flatMap(({ n, passage }) => (used.has(n) ? [{ n, passageId: passage.id }] : []))
  return { kind: 'written', text, citations, ...(workings.length > 0 && { workings }) }
}

/** Tells a draft as it is written. What comes after a calculation waits until it is worked out. */
export const telling = (onDelta: (text: string) => void) => {
  let heard = ''
  let told = 0
  const tell = (text: string): void => {
    if (text.length > told) onDelta(text.slice(told))
    told = Math.max(told, text.length)
  }
  return {
    hear: (piece: string): void => {
      heard += piece
      const open = heard.trimStart().indexOf('{')
      tell(open === -1 ? heard.trim() : heard.trimStart().slice(0, open))
    },
    finish: tell,
  }
}

const height = ({ grade }: Evidence): number =>
  grade ? { high: 2, medium: 1, low: 0 }[grade.level] + grade.confidence / 2 : 0

const bestShown = 3

/** What the grades say of the passages, by their numbers: the passages themselves stay as they are for every draft. */
export const standing = (passages: readonly Numbered[]): string => {
  const graded = passages.filter(({ passage }) => passage.grade?.relevant)
  const best = [...graded].sort((a, b) => height(b.passage) - height(a.passage)).slice(0, bestShown)
  const told = (what: string, some: readonly Numbered[]): string =>
    some.length === 0 ? '' : ` ${what}: ${some.map(({ n }) => n).join(', ')}.`
  return [
    told('Most relevant passages', best),
    told(
      'Outdated',
      passages.filter(({ passage }) => passage.grade?.outdated || passage.amendedBy !== undefined),
    ),
    told(
      'Of low authority',
      passages.filter(({ passage }) => passage.grade?.authority === 'low'),
    ),
  ].join('')
}
