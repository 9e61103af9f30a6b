import { RouteTo } from '@plumbline/contracts'
import { z } from 'zod'
import { askModel } from '../asking/ask-model'
import type { ModelOf } from '../asking/asking'
import type { Route, RouteMode } from './route'
import { offlineRoute } from './route.offline'
import { routePrompt } from './route.prompt'

const Routed = z.object({
  logic: z.string().min(1),
  to: RouteTo,
  collections: z.array(z.string()),
  simple: z.boolean(),
})

/** Two ways of routing know their ends by heart: there the web may be named also where it is off, and the policy says what follows. */
const endsOf = (mode: RouteMode, webOn: boolean, hasThread: boolean): RouteTo[] => {
  if (mode === 'index-or-web') return ['research', 'web']
  if (mode === 'retrieve-or-not') return hasThread ? ['research', 'reply', 'continue'] : ['research', 'reply']
  return webOn ? ['research', 'web', 'clarify', 'reply', 'decline'] : ['research', 'clarify', 'reply', 'decline']
}

export const llmRoute =
  (chat: ModelOf): Route =>
  async (input, call) => {
    const { collections: cards, webOn, mode = 'scope' } = input
    if (cards.length === 0 && mode === 'scope' && !webOn) return offlineRoute(input, call)
    const schema = Routed.extend({ to: z.enum(endsOf(mode, webOn, input.thread !== undefined)) })
    const asked = await askModel({ chat, skill: 'route', prompt: routePrompt(mode), input, call, schema })
    if (asked.kind === 'refused')
      return { to: 'decline', logic: `The model would not route this question: ${asked.reason}`, collections: [] }
    const { to, logic, collections, simple } = asked.value
    if (to !== 'research') return { to, logic, collections: [] }
    const names = cards.map(({ name }) => name)
    const named = names.filter((name) => collections.includes(name))
    return { to, logic, collections: named.length > 0 ? named : names, simple }
  }
