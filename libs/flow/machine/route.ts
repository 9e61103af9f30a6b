import type { RouteTo } from '@plumbline/contracts'
import type { Result } from '../schema/task-table'
import type { Grading, Run } from '../schema/run'
import { affords } from './budgets'
import { draftAsAnswer, finish, outOfBudget } from './endings'
import { groundingScore, isGrounded, isNotInDocuments, isUseful } from './grounding'
import { ruleHolds } from './hold'
import { addEvent, change, type Move, type Transition } from './move'
import { decline, fixedReply, openReply } from './reply'
import { endWithoutWeb } from './retry'
import { takeQuestion, toResearch } from './steps'

type Understood = { question?: string | undefined; summary?: string | undefined; lookups?: string[] | undefined }

export const addRouted = (move: Move, to: RouteTo, logic: string, collections: string[]): Move => {
  const { standalone } = move.run
  return addEvent(change(move, { route: { to, logic, collections }, collections }), 'routed', {
    to,
    logic,
    collections,
    ...(standalone !== undefined && { standalone }),
  })
}

export const understood = (move: Move, { question, summary, lookups }: Understood): Move =>
  change(move, {
    ...(question !== undefined && question !== move.run.question && { standalone: question }),
    ...(summary !== undefined && { summary }),
    ...(lookups !== undefined && { lookups }),
  })

/** The router can leave out collections of the run, but it cannot add any. */
export const narrowCollections = ({ collections }: Run, wanted: string[]): string[] => {
  const both = collections.filter((collection) => wanted.includes(collection))
  return both.length > 0 ? both : collections
}

const toWeb = (move: Move, logic: string, queries?: string[]): Move => {
  const { webOn, policy, collections } = move.run
  const toWebNoting = (note: string): Move => addRouted(move, 'web', `${logic}${note}`, collections)
  if (webOn) return takeQuestion(toWebNoting(''), 'web', queries)
  return policy.noWeb === 'go-on'
    ? toResearch(toWebNoting(' Web search is off, so the documents are searched instead.'), queries)
    : endWithoutWeb(toWebNoting(' Web search is off.'))
}

const toReply = (move: Move, to: 'general' | 'clarify' | 'decline' | 'knowledge', logic: string): Move => {
  if (affords(move.run, 1)) return openReply(move, to, logic)
  return to === 'decline' ? decline(move) : outOfBudget(move)
}

const toGeneral = (move: Move, logic: string, isKnowledge = false): Move => {
  const { policy, collections } = move.run
  if (!isKnowledge) return toReply(addRouted(move, 'reply', logic, collections), 'general', logic)
  return policy.generalKnowledge === 'mark' || policy.generalKnowledge === 'park'
    ? toReply(addRouted(move, 'reply', logic, collections), 'knowledge', logic)
    : toResearch(
        addRouted(
          move,
          'research',
          `${logic} The policy allows no answer without documents, so they are searched.`,
          collections,
        ),
      )
}

/** Ends the run with the operator's reply. This text is not checked, so it may contain links and numbers. */
const toFixed = (move: Move, logic: string, text: string): Move =>
  finish(addRouted(move, 'reply', logic, move.run.collections), 'answered', 'answered.general', fixedReply(text))

const goOn = (move: Move, logic: string): Move => {
  const { collections, inThread } = move.run
  return inThread?.passageIds.length
    ? takeQuestion(addRouted(move, 'continue', logic, collections))
    : toResearch(
        addRouted(move, 'research', `${logic} The thread has no passages, so the documents are searched.`, collections),
      )
}

/** Reuses the answer of an earlier run if the policy and the tenant's review rules allow its release. */
const takeKnown = (
  move: Move,
  { logic, from, text, citations, passages, check, kept }: Extract<Result<'route'>, { outcome: 'known' }>,
): Move => {
  const { policy, collections } = move.run
  const grading: Grading = { draft: 1, score: groundingScore(check), ...check }
  const stands =
    isGrounded(policy, grading) && isUseful(policy, grading) && !grading.tooBroad && !isNotInDocuments(grading)
  const again = (why: string): Move =>
    toResearch(addRouted(move, 'research', `${why}, so the documents are searched.`, collections))
  // A pinned answer skips the two tests below, because a person has already released it.
  if (!kept && !stands) return again('An earlier answer is not grounded enough for this policy')
  if (!kept && ruleHolds(move.run, () => passages.map(({ collection }) => collection)))
    return again('An earlier answer needs a review first')
  const known = change(addRouted(move, 'research', logic, collections), {
    draft: { draft: 1, text, citations },
    grading,
  })
  const answer = { ...draftAsAnswer(known.run), cached: from }
  return finish({ ...known, evidence: passages }, 'answered', kept ? 'answered.kept' : 'answered.known', answer)
}

export const route: Transition<'route'> = (before, _task, result) => {
  const { logic } = result
  const move = understood(before, result)
  const { collections } = move.run
  switch (result.outcome) {
    case 'research': {
      const { simple, queries, lookup } = result
      const researching = addRouted(move, 'research', logic, narrowCollections(move.run, result.collections))
      const known = { ...(simple !== undefined && { simple }), ...(lookup !== undefined && { lookup }) }
      return toResearch(change(researching, known), queries)
    }
    case 'summarise':
      return takeQuestion(
        change(addRouted(move, 'summarise', logic, narrowCollections(move.run, result.collections)), {
          sumUp: result.title,
        }),
      )
    case 'known':
      return takeKnown(move, result)
    case 'web':
      return toWeb(move, logic, result.queries)
    case 'reply':
      return result.text === undefined ? toGeneral(move, logic, result.knowledge) : toFixed(move, logic, result.text)
    case 'clarify':
      return toReply(addRouted(move, 'clarify', logic, collections), 'clarify', logic)
    case 'decline':
      return toReply(addRouted(move, 'decline', logic, collections), 'decline', logic)
    case 'continue':
      return goOn(move, logic)
  }
}
