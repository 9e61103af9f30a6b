import type { RouteTo } from '@plumbline/contracts'
import { z } from 'zod'
import { askModel, type ModelOf } from '../skill/ask-model'
import { newQueries } from '../skill/new-queries'
import { collectionQuotes, lookupQuotes, type Prompt, questionQuote } from '../skill/prompt'
import type { Route, RouteMode } from '../skill/skill'
import { standaloneResult, summaryFault, summaryTask, threadQuotes } from './thread'

type Input = Parameters<Route>[0]

const seen =
  'You see the conversation, if there is one, and the descriptions of collections and lookups, never their contents.'

type Ends = Partial<Record<RouteTo, string>>
const systems: Record<RouteMode, { system: string; ends: Ends }> = {
  scope: {
    system: `You route a message to a service that answers from a company's documents. ${seen}`,
    ends: {
      research: 'the collections may hold the answer, or a lookup tells it. If in doubt, research.',
      summarise:
        'a whole document, named or clear from the conversation, is to be summed up. A summary of some facts is research.',
      web: 'a fair question that the collections do not cover.',
      clarify:
        'neither the message, the conversation nor the descriptions say whom or what it is about. A short question that names its thing is research.',
      reply: 'a greeting, thanks, small talk, or a question about this service itself.',
      decline: 'something the collections are plainly not about, or a chore instead of a question.',
    },
  },
  'index-or-web': {
    system: `You decide where a question is looked up. ${seen}`,
    ends: {
      research: 'the collections or lookups are, by their descriptions, about what is asked.',
      web: 'all else.',
    },
  },
  'retrieve-or-not': {
    system: `You decide whether a question needs documents. ${seen}`,
    ends: {
      research:
        'the answer states facts that somebody may want to check, or the collections or lookups may be about it.',
      reply:
        'a greeting, thanks, small talk or a question about this service itself; and, if general knowledge is allowed, something so commonly known that nobody would ask a document.',
      continue: 'the passages of the last answer will answer this too.',
    },
  },
}

/** `index-or-web` allows `web` even if web search is off, because the policy decides how such a run continues. */
const endsOf = ({ mode, webOn, thread }: Input): RouteTo[] => {
  if (mode === 'index-or-web') return ['research', 'web']
  if (mode === 'retrieve-or-not') return thread?.hasPassages ? ['research', 'reply', 'continue'] : ['research', 'reply']
  const ends: RouteTo[] = ['research', 'summarise', 'clarify', 'reply', 'decline']
  return webOn ? [...ends, 'web'] : ends
}

const question = `question: what is asked, understandable without the conversation: with the names, things and times that "it", "there" or "and in 2023?" refer to, in the asker's
  language, without a leading "And". Take only names from the conversation, never facts or figures of the answers. If a message answers a question back to
  the asker, it is the asker's own earlier question, completed by that answer. Null if the message is already complete, starts a new subject, or is thanks.`

const queriesField = (queries: number): string =>
  `queries: only for a simple question, else none; searched beside it, at most six words each: the words of a heading or table, other terms, or words in
  which a document would give the answer. Keep names, years and codes, and guess none. If the descriptions are in another language, at least one query is
  in theirs${queries === 0 ? ', even though none is wanted' : ''}.`

const noteField = (ends: RouteTo[]): string => {
  const reasoned = ends.filter((end) => end !== 'research' && end !== 'summarise' && end !== 'clarify')
  const named = ends.includes('clarify')
    ? "for summarise, the document's name as the asker has it. For clarify, what is left open. "
    : ''
  return `note: ${named}For ${reasoned.join(' and ')}, the reason in a few words. Else null.`
}

/** Explains only the routes and fields that the schema has for this message. */
const schemaLines = (input: Input): string[] => {
  const { mode, collections, lookups = [], thread, knowledge, queries } = input
  const ends = endsOf(input)
  return [
    ...ends.map((end) => `${end}: ${systems[mode].ends[end] ?? ''}`),
    '',
    'Give only the fields of the schema, as briefly as possible.',
    ...(thread ? [question, 'summary: null, unless the task asks for it.'] : []),
    ...(collections.length > 1
      ? ['collections: those whose descriptions fit the question; none if it is not looked up in them.']
      : []),
    ...(lookups.length > 0
      ? [
          'lookups: the names of listed lookups that tell, by their descriptions, just what is asked or a part of it. Most questions need none.',
        ]
      : []),
    `simple: one look-up answers it, as one fact, row, list or table does. A comparison or count inside one table is simple. A comparison of things in different
  places, or something that must be found first, is not.`,
    queriesField(queries),
    noteField(ends),
    ...(knowledge
      ? ['knowledge: a reply would state something about the world, not only greet, thank or speak of this service.']
      : []),
  ]
}

const fieldsRequested = ({ webOn, knowledge, queries, thread }: Input): string =>
  [
    `Web search is ${webOn ? 'on' : 'off'}. General knowledge is ${knowledge ? '' : 'not '}allowed.`,
    thread?.askedBack ? ' The last turn was a question back to the asker.' : '',
    summaryTask(thread),
    ` Write ${queries} ${queries === 1 ? 'query' : 'queries'} for a simple question. Decide what becomes of the question.`,
  ].join('')

export const routePrompt = (mode: RouteMode): Prompt<Input> => ({
  name: mode === 'scope' ? 'route' : `route-${mode}`,
  version: 5,
  maxTokens: 1_200,
  system: systems[mode].system,
  fields: schemaLines,
  stable: ({ collections, lookups }) => [...collectionQuotes(collections), ...lookupQuotes(lookups)],
  quotes: ({ question, thread }) => [...(thread ? threadQuotes(thread) : []), questionQuote(question)],
  task: fieldsRequested,
})

/** Omits fields that cannot apply to the message, because every output field costs time. */
const schemaFor = ({ collections, thread, knowledge, lookups = [] }: Input, ends: RouteTo[]) =>
  z.object({
    to: z.enum(ends),
    ...(thread && { question: z.string().nullable(), summary: z.string().nullable() }),
    ...(collections.length > 1 && { collections: z.array(z.string()) }),
    ...(lookups.length > 0 && { lookups: z.array(z.string()) }),
    simple: z.boolean(),
    queries: z.array(z.string()),
    note: z.string().nullable(),
    ...(knowledge && { knowledge: z.boolean() }),
  })
type Routed = {
  to: RouteTo
  question?: string | null
  summary?: string | null
  collections?: string[]
  lookups?: string[]
  simple: boolean
  queries: string[]
  note: string | null
  knowledge?: boolean
}

const usualLogic: Record<RouteTo, string> = {
  research: 'The collections may hold the answer.',
  summarise: 'A whole document is to be summed up.',
  web: 'The collections do not cover the question.',
  clarify: 'The message leaves open what it is about.',
  reply: 'The message needs no document.',
  decline: 'The collections are not about this.',
  continue: 'The passages of the last answer also answer this question.',
}

/** Keeps at least one query, because the query may be in the language of the documents and the question may not. */
const queriesOf = (input: Input, { queries, question }: Routed): string[] =>
  newQueries(question || input.question, queries, Math.max(input.queries, 1))

const lookupsOf = ({ lookups: cards = [] }: Input, { lookups = [] }: Routed): { lookups?: string[] } =>
  cards.length === 0 ? {} : { lookups: cards.map(({ name }) => name).filter((name) => lookups.includes(name)) }

export const llmRoute =
  (chat: ModelOf): Route =>
  async (input, call) => {
    const { collections: cards, mode, thread } = input
    // The cast is needed, because the compiler cannot infer which fields the schema omits.
    const schema = schemaFor(input, endsOf(input)) as unknown as z.ZodType<Routed>
    const result = await askModel({
      ...{ chat, skill: 'route' as const, prompt: routePrompt(mode), input, call, schema },
      faultIn: ({ summary }) => summaryFault(thread, summary ?? null),
    })
    if (result.kind === 'refused')
      return { to: 'decline', logic: `The model refused to route this question: ${result.reason}`, collections: [] }
    const { to, collections = [], simple, note, knowledge } = result.value
    const { question: whole, summary } = result.value
    const understood = thread
      ? standaloneResult({ question: input.question, thread }, { question: whole ?? '', summary: summary ?? null })
      : {}
    const { question } = understood
    const logic = (to !== 'summarise' && note?.trim()) || usualLogic[to]
    const common = { to, logic, ...understood, ...lookupsOf(input, result.value) }
    const names = cards.map(({ name }) => name)
    const named = names.filter((name) => collections.includes(name))
    const read = named.length > 0 ? named : names
    if (to === 'summarise') return { ...common, collections: read, title: note?.trim() || question || input.question }
    if (to === 'reply') return { ...common, collections: [], ...(knowledge && input.knowledge && { knowledge }) }
    const queries = simple ? queriesOf(input, result.value) : []
    const found = queries.length > 0 && { queries }
    if (to === 'research') return { ...common, collections: read, simple, ...found }
    return { ...common, collections: [], ...(to === 'web' && found) }
  }
