import { offlinePlan } from '../plan/plan.offline'
import type { Route, RouteMode } from './route'
import { isSmallTalk } from './small-talk'
import { collectionsFor, contentOf, relationTo, subjectOf } from './topic'
import type { Relation } from './topic'
import { missingFrom } from './vagueness'
import type { Missing } from './vagueness'

type Routed = Awaited<ReturnType<Route>>

const told: Record<Missing, string> = {
  whom: 'which place, unit or person is meant',
  which: 'whom or what it refers to',
  what: 'which value or fact is wanted',
  when: 'for which year or period',
}
const listed = (all: string[]): string =>
  all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1) ?? ''}`
const quoted = (names: string[]): string => listed(names.map((name) => `“${name}”`))
const to = (where: Routed['to'], logic: string, collections: string[] = []): Routed => ({
  to: where,
  logic,
  collections,
})

/** A year alone is worth asking for only where the subject is ours; a question about something else is asked back only if it names nothing. */
const mayAsk = (relation: Relation, missing: Missing[], question: string): boolean => {
  const namesNothing = missing.includes('which') || missing.includes('what')
  if (relation === 'chore') return false
  if (relation === 'outside') return namesNothing && contentOf(question).length <= 2
  return relation === 'covered' || namesNothing || missing.length > 1
}

type Decide = (input: Parameters<Route>[0]) => Routed

const smallTalk = (): Routed =>
  to('reply', 'This is small talk or a question about this service, not about the documents.')
const nothingToSearch = (): Routed =>
  to(
    'decline',
    'No collection exists yet, so there is nothing to search. Add a document (POST /v1/documents) and ask again.',
  )

const byScope: Decide = ({ question, collections, webOn }) => {
  if (isSmallTalk(question)) return smallTalk()
  if (collections.length === 0) return nothingToSearch()
  const subject = subjectOf(collections)
  const { relation, words } = relationTo(question, subject)
  const missing = missingFrom(question, subject)
  const names = collections.map(({ name }) => name)
  if (missing.length > 0 && mayAsk(relation, missing, question))
    return to('clarify', `The question leaves open ${listed(missing.map((each) => told[each]))}.`)
  if (relation === 'chore') return to('decline', 'This asks for something to be done, not for what documents say.')
  if (relation === 'outside')
    return webOn
      ? to('web', `The question is about something else than ${quoted(names)} hold, and web search is on.`)
      : to(
          'decline',
          `The question is about something else than ${quoted(names)} describe${names.length === 1 ? 's' : ''}.`,
        )
  const kept = collectionsFor(question, collections)
  return words.length > 0
    ? to('research', `The question shares its subject with ${quoted(kept)}.`, kept)
    : to('research', `Nothing rules out that ${quoted(kept)} hold${kept.length === 1 ? 's' : ''} this.`, kept)
}

/** The collections for what they describe, the web for all else; whether web search is on is not asked here. */
const byIndexOrWeb: Decide = ({ question, collections }) => {
  if (collections.length === 0) return to('web', 'No collection exists, so this is for the web.')
  const { relation } = relationTo(question, subjectOf(collections))
  if (isSmallTalk(question) || relation !== 'covered')
    return to(
      'web',
      `This is not what ${quoted(collections.map(({ name }) => name))} describe${collections.length === 1 ? 's' : ''}: it is for the web.`,
    )
  const kept = collectionsFor(question, collections)
  return to('research', `The question shares its subject with ${quoted(kept)}.`, kept)
}

/** Small talk and chores need no documents; what leans on something said before goes on with what was read then. */
const byNeed: Decide = ({ question, collections }) => {
  if (isSmallTalk(question)) return smallTalk()
  const subject = subjectOf(collections)
  if (relationTo(question, subject).relation === 'chore')
    return to('reply', 'This asks for something to be done, not for what documents say: no documents are needed.')
  if (missingFrom(question, subject).includes('which'))
    return to('continue', 'The question leans on what was said before: the passages read for that are taken first.')
  if (collections.length === 0) return nothingToSearch()
  return to('research', 'The question asks for facts, so documents are needed.', collectionsFor(question, collections))
}

const deciders: Record<RouteMode, Decide> = { scope: byScope, 'index-or-web': byIndexOrWeb, 'retrieve-or-not': byNeed }

export const offlineRoute: Route = async (input, call) => {
  call.signal.throwIfAborted()
  const routed = deciders[input.mode ?? 'scope'](input)
  if (routed.to !== 'research') return routed
  const { steps } = await offlinePlan({ question: input.question, maxSteps: 2 }, call)
  return { ...routed, simple: steps.length === 1 }
}
