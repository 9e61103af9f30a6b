import type { StandaloneQuestion } from '../skill/skill'
import { offlineRoute } from './route.offline'

/** Uses the offline router, so that follow-ups are treated the same under every policy. */
export const offlineStandaloneQuestion: StandaloneQuestion = async (asked, call) => {
  const everything = { collections: [], webOn: false, mode: 'scope', queries: 0, knowledge: false } as const
  const { question } = await offlineRoute({ ...asked, ...everything, collections: [] }, call)
  return question === undefined ? {} : { question }
}
