import { questionQuote } from '../asking/passages'
import type { Prompt } from '../asking/prompt'
import type { Route, RouteMode } from './route'

type Input = Parameters<Route>[0]

const seen = 'You see the question and the description of each collection, never its documents.'
const answers = `Give as logic, in one sentence, what decided. As collections, name those whose descriptions fit the question; none where it is not researched.
The question is simple when one look-up answers it: one fact about one thing, however it is worded.`

const systems: Record<RouteMode, string> = {
  scope: `You decide what becomes of a question that was asked of a company's documents. ${seen}

research: the collections may hold the answer. In doubt between this and declining, research.
web: it is a fair question, but about something the collections do not cover. Only where web search is on.
clarify: it cannot be looked up as it stands, because it leaves open whom or what it is about, which value is wanted, or for which time,
  and the descriptions do not settle that. The logic then says what is left open.
reply: a greeting, thanks, or a question about this service itself.
decline: something the collections are plainly not about, or a chore instead of a question.

${answers}`,
  'index-or-web': `You decide where a question is looked up. ${seen}

research: the collections, by their descriptions, are about what is asked.
web: for all else.

${answers}`,
  'retrieve-or-not': `You decide whether a question needs documents to be answered. ${seen}

research: the answer states facts that somebody may want to check, or the collections may be about it.
reply: a greeting, thanks, small talk or a question about this service itself, to which no document adds anything.
continue: only where the last answer of this conversation is shown, and the passages it rests on will answer this question too.

${answers}`,
}

export const routePrompt = (mode: RouteMode): Prompt<Input> => ({
  name: mode === 'scope' ? 'route' : `route-${mode}`,
  version: 1,
  system: systems[mode],
  quotes: ({ question, collections, thread }) => [
    ...collections.map(({ name, description }) => ({ name: 'collection', text: `${name}\n${description}` })),
    ...(thread && mode === 'retrieve-or-not'
      ? [
          { name: 'last question', text: thread.question },
          { name: 'last answer', text: thread.text },
        ]
      : []),
    questionQuote(question),
  ],
  task: ({ webOn }) => `Web search is ${webOn ? 'on' : 'off'}. Decide what becomes of the question.`,
})
