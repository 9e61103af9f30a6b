import type { Evidence } from '@plumbline/contracts'
import { vocabularyOf } from '@plumbline/knowledge/tables'
import type { Vocabulary } from '@plumbline/knowledge/tables'
import { coverage, requests, subjectWords, withoutCitations, words } from '@plumbline/knowledge/text'
import { asksForArithmetic } from '../compute/asked'
import { passagesOf, saidWorking } from '../compute/working'
import { figureInProse } from '../reading/figure'
import type { Lookup } from '../reading/lookup'
import { asksForData, lookUp } from '../reading/lookup'
import { needOf } from '../reading/need'
import { selectionAsked, selectionSaid } from '../reading/selection'
import { restsOnUnanswered } from '../reading/unanswered'
import type { Answer } from './answer'
import { admitted, compose, keptStatements, merged } from './compose'
import { fromProse, sidesOf, statementOf } from './from-prose'
import { absence, changeStatement, comparison, rowList, statementsOf } from './from-tables'
import { corrected } from './premise'
import type { Statement } from './statement'

type Scene = {
  own: Evidence[]
  all: Evidence[]
  vocabulary: Vocabulary
  wide: Vocabulary
  guidance: string
  most: number
  worked: boolean
}

/** The passages that come nearest to what was not found. */
const readFor = (question: string, evidence: Evidence[]): string[] => {
  const asked = subjectWords(question)
  const share = ({ title, headingPath, text }: Evidence): number =>
    coverage(asked, words([title, ...headingPath, text].join('\n')))
  const best = [...evidence].map((passage) => ({ passage, share: share(passage) })).sort((a, b) => b.share - a.share)
  return best.slice(0, 1).map(({ passage }) => passage.id)
}

const toldIn = (lookups: Lookup[]): number =>
  lookups.filter(({ resolution }) => resolution.cells.some(({ missing }) => !missing)).length

/** What a step's own passages lack may stand in another step's. */
const resolved = (question: string, { vocabulary, wide }: Scene): Lookup[] => {
  const own = lookUp(question, vocabulary)
  if (own.length > 0 && toldIn(own) === own.length) return own
  const everywhere = lookUp(question, wide)
  return toldIn(everywhere) >= toldIn(own) ? everywhere : own
}

const dataStatements = (request: string, lookups: Lookup[], { all, wide }: Scene): Statement[] => {
  const values = lookups.flatMap((lookup) => {
    const told = statementsOf(lookup, wide)
    if (told.length > 0) return told
    const figure = figureInProse(lookup.part, all)
    return [figure ? statementOf(figure) : absence(lookup, readFor(request, all))]
  })
  return [...values, ...changeStatement(request, lookups), ...comparison(request, lookups)]
}

const nothingSaid = (request: string, evidence: Evidence[]): Statement => ({
  text: `The documents do not answer the question “${request.replace(/[.?!\s]+$/, '')}”`,
  passageIds: readFor(request, evidence),
})

const proseStatements = (request: string, hint: string, scene: Scene): Statement[] => {
  const rows = needOf(request).want === 'list' ? rowList(request, scene.wide) : []
  if (rows.length > 0) return rows
  const sides = sidesOf(request)
  if (sides.length > 0) {
    const told = sides.map((side) => fromProse(side, scene.own, hint, Math.min(2, scene.most)))
    if (told.every((some) => some.length > 0)) return told.flat()
  }
  const own = fromProse(request, scene.own, hint, scene.most)
  const told = own.length > 0 ? own : fromProse(request, scene.all, hint, scene.most)
  return told.length > 0 ? told : [nothingSaid(request, scene.own.length > 0 ? scene.own : scene.all)]
}

const answerStep = (question: string, scene: Scene): Statement[] => {
  if (restsOnUnanswered(question)) return [nothingSaid(question, scene.all)]
  const lookups = resolved(question, scene)
  return requests(question).flatMap((request, at, all) => {
    const here = lookups.filter((lookup) => lookup.request === request)
    const worked = scene.worked && asksForArithmetic(request)
    const premise = corrected(request, scene.all, scene.wide)
    if (premise.length > 0) return premise
    const selected = selectionAsked(request, scene.wide.tables)
    if (selected) return [{ text: selectionSaid(selected), passageIds: [selected.table.passageId] }]
    if (asksForData(here, scene.wide)) return dataStatements(request, here, scene).filter(({ cell }) => !worked || cell)
    if (worked) return []
    return proseStatements(request, [scene.guidance, ...all.slice(0, at)].join(' '), scene)
  })
}

/** Picks the sentences and the table cells that answer, and says what the documents do not report. */
export const offlineAnswer: Answer = async (
  { question, steps, evidence, maxSentences, keep = [], avoid = [], guidance = '', workings = [], onDelta },
  { signal },
) => {
  signal.throwIfAborted()
  const asked = steps.length > 0 ? steps : [{ question, passageIds: evidence.map(({ id }) => id) }]
  const wide = vocabularyOf(evidence)
  const statements = asked.flatMap((step) => {
    const own = evidence.filter(({ id }) => step.passageIds.includes(id))
    const most = Math.max(1, Math.floor(maxSentences / asked.length))
    const scene = {
      own,
      all: evidence,
      vocabulary: own.length === evidence.length ? wide : vocabularyOf(own),
      wide,
      guidance,
      most,
      worked: workings.length > 0,
    }
    return answerStep(withoutCitations(step.question), scene)
  })
  const worked = admitted(
    workings.map((working) => ({ text: saidWorking(working), passageIds: passagesOf(working) })),
    [],
    avoid,
  )
  const kept = [...worked, ...admitted(keptStatements(keep, evidence), worked, [])].slice(0, maxSentences)
  const fresh = admitted(statements, kept, avoid)
  const room = maxSentences - kept.length
  const chosen = fresh.length > room ? merged(fresh) : fresh
  const said = [...kept, ...chosen.slice(0, room)]
  return compose(said.length > 0 ? said : [nothingSaid(question, evidence)], onDelta)
}
