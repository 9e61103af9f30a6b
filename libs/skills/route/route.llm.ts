import { RouteTo } from '@plumbline/contracts'
import { z } from 'zod'
import { askModel, type ModelOf } from '../skill/ask-model'
import { newQueries } from '../skill/new-queries'
import { collectionQuotes, type Prompt, questionQuote } from '../skill/prompt'
import type { Route, RouteMode } from '../skill/skill'
import { summaryFault, summaryTask, threadQuotes, understoodFrom } from './thread'

type Input = Parameters<Route>[0]

const answers = `Give as logic, in one sentence, what decided. As collections, name those whose descriptions fit the question; none where it is not
looked up in them.

question: what is asked now, as it stands for somebody who has not seen the conversation: with the names, things and times that "it", "there" or
  "and in 2023?" stand for, in the asker's own language, and nothing added that was not asked. Where it stands by itself already, or there is no
  conversation, repeat it word for word. A message after a question back to the asker may answer it: then it is the earlier question made
  complete by that answer. It may as well be a new question, or thanks: then the earlier one is left alone.
summary: null, unless it is asked for.
simple: whether one look-up answers it: what is asked would stand in one place, as one fact, one row or one list does, however it is worded. A comparison,
  things that would stand in different places, or something that has to be found before the rest can be looked up is not simple.
queries: what is searched beside the question itself, where it is simple: each goes about it in another way, in the words a document's heading or
  table would have, in other terms for the same, or from the side of the answer. Keep names, years and codes as they are written; add no facts.
  Where the descriptions are in another language than the question, at least one query is in theirs, even if none is wanted.
title: null, unless the outcome is summarise.
knowledge: whether a reply would have to tell something of the world, not only greet, thank or speak of this service.`

const seen =
  'You see what was said before, if anything was, and the description of each collection, never its documents.'

const systems: Record<RouteMode, string> = {
  scope: `You decide what becomes of a message to a service that answers from a company's documents. ${seen}

research: the collections may hold the answer. In doubt between this and any other, research.
summarise: a whole document, named or plain from the conversation, is to be summed up; title: its name, as the asker has it. What only asks
  for a summary of some facts is research.
web: it is a fair question, but about something the collections do not cover. Only where web search is on.
clarify: it cannot be looked up as it stands, because neither it nor the conversation says whom or what it is about, and the descriptions do
  not settle that. The logic then says what is left open. A short question that names its thing is research, not clarify.
reply: a greeting, thanks, small talk, or a question about this service itself.
decline: something the collections are plainly not about, or a chore instead of a question.

${answers}`,
  'index-or-web': `You decide where a question is looked up. ${seen}

research: the collections, by their descriptions, are about what is asked.
web: for all else.

${answers}`,
  'retrieve-or-not': `You decide whether a question needs documents to be answered. ${seen}

research: the answer states facts that somebody may want to check, or the collections may be about it.
reply: a greeting, thanks, small talk or a question about this service itself, to which no document adds anything; and, where general knowledge is
  allowed, something so commonly known that no document would be asked for it.
continue: only where there is a conversation, and the passages its last answer rests on will answer this too.

${answers}`,
}

const asked = ({ webOn, knowledge, queries, thread }: Input): string =>
  [
    `Web search is ${webOn ? 'on' : 'off'}. General knowledge is ${knowledge ? '' : 'not '}allowed.`,
    thread?.askedBack ? ' The last turn was a question back to the asker.' : '',
    summaryTask(thread),
    ` Write ${queries} ${queries === 1 ? 'query' : 'queries'} for a simple question. Decide what becomes of the question.`,
  ].join('')

export const routePrompt = (mode: RouteMode): Prompt<Input> => ({
  name: mode === 'scope' ? 'route' : `route-${mode}`,
  version: 2,
  maxTokens: 1_200,
  system: systems[mode],
  stable: ({ collections }) => collectionQuotes(collections),
  quotes: ({ question, thread }) => [...(thread ? threadQuotes(thread) : []), questionQuote(question)],
  task: asked,
})

const Routed = z.object({
  logic: z.string().min(1),
  to: RouteTo,
  question: z.string(),
  summary: z.string().nullable(),
  collections: z.array(z.string()),
  simple: z.boolean(),
  queries: z.array(z.string()),
  title: z.string().nullable(),
  knowledge: z.boolean(),
})

/** Two ways of routing know their ends by heart: there the web may be named also where it is off, and the policy says what follows. */
const endsOf = (mode: RouteMode, webOn: boolean, hasPassages: boolean): RouteTo[] => {
  if (mode === 'index-or-web') return ['research', 'web']
  if (mode === 'retrieve-or-not') return hasPassages ? ['research', 'reply', 'continue'] : ['research', 'reply']
  const ends: RouteTo[] = ['research', 'summarise', 'clarify', 'reply', 'decline']
  return webOn ? [...ends, 'web'] : ends
}

type Routed = z.infer<typeof Routed>

/** Of the queries one may be in the documents' language, also where none was wanted. */
const queriesOf = (input: Input, { queries, question }: Routed): string[] =>
  newQueries(question || input.question, queries, Math.max(input.queries, 1))

export const llmRoute =
  (chat: ModelOf): Route =>
  async (input, call) => {
    const { collections: cards, webOn, mode, thread } = input
    const ends = endsOf(mode, webOn, thread?.hasPassages ?? false)
    const asked = await askModel({
      ...{ chat, skill: 'route' as const, prompt: routePrompt(mode), input, call },
      schema: Routed.extend({ to: z.enum(ends) }),
      faultIn: ({ summary }) => summaryFault(thread, summary),
    })
    if (asked.kind === 'refused')
      return { to: 'decline', logic: `The model would not route this question: ${asked.reason}`, collections: [] }
    const { to, logic, collections, simple, title, knowledge } = asked.value
    const understood = thread ? understoodFrom({ question: input.question, thread }, asked.value) : {}
    const { question } = understood
    const common = { to, logic, ...understood }
    const names = cards.map(({ name }) => name)
    const named = names.filter((name) => collections.includes(name))
    const read = named.length > 0 ? named : names
    if (to === 'summarise') return { ...common, collections: read, title: title?.trim() || question || input.question }
    if (to === 'reply') return { ...common, collections: [], ...(knowledge && input.knowledge && { knowledge }) }
    const queries = simple ? queriesOf(input, asked.value) : []
    const found = queries.length > 0 && { queries }
    if (to === 'research') return { ...common, collections: read, simple, ...found }
    return { ...common, collections: [], ...(to === 'web' && found) }
  }
