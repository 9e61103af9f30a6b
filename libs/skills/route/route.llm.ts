import { RouteTo } from '@plumbline/contracts'
import { z } from 'zod'
import { askModel } from '../asking/ask-model'
import type { ModelOf } from '../asking/asking'
import { newQueries } from '../asking/new-queries'
import type { Route, RouteMode } from '../skill'
import { routePrompt, turnsOf } from './route.prompt'

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
type Input = Parameters<Route>[0]

/** Two ways of routing know their ends by heart: there the web may be named also where it is off, and the policy says what follows. */
const endsOf = (mode: RouteMode, webOn: boolean, hasPassages: boolean): RouteTo[] => {
  if (mode === 'index-or-web') return ['research', 'web']
  if (mode === 'retrieve-or-not') return hasPassages ? ['research', 'reply', 'continue'] : ['research', 'reply']
  const ends: RouteTo[] = ['research', 'summarise', 'clarify', 'reply', 'decline']
  return webOn ? [...ends, 'web'] : ends
}

type Routed = z.infer<typeof Routed>

/** The question as it stands alone; a question without a thread stands alone as it is. */
const standalone = ({ question, thread }: Input, routed: Routed): string | undefined => {
  const said = routed.question.trim()
  return thread === undefined || said === '' || said === question.trim() ? undefined : said
}

/** Of the queries one may be in the documents' language, also where none was wanted. */
const queriesOf = (input: Input, { queries, question }: Routed): string[] =>
  newQueries(question || input.question, queries, Math.max(input.queries, 1))

const unsummed = 'The whole conversation is to be summed up.'

export const llmRoute =
  (chat: ModelOf): Route =>
  async (input, call) => {
    const { collections: cards, webOn, mode, thread } = input
    const ends = endsOf(mode, webOn, thread?.hasPassages ?? false)
    const isLong = thread !== undefined && turnsOf(thread).earlier.length > 0
    const asked = await askModel({
      ...{ chat, skill: 'route' as const, prompt: routePrompt(mode), input, call },
      schema: Routed.extend({ to: z.enum(ends) }),
      faultIn: ({ summary }) => (isLong && !summary?.trim() ? unsummed : null),
    })
    if (asked.kind === 'refused')
      return { to: 'decline', logic: `The model would not route this question: ${asked.reason}`, collections: [] }
    const { to, logic, collections, simple, summary, title, knowledge } = asked.value
    const question = standalone(input, asked.value)
    const common = {
      ...{ to, logic },
      ...(question !== undefined && { question }),
      ...(isLong && summary?.trim() && { summary: summary.trim() }),
    }
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
