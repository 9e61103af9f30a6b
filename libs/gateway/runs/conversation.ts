import { questionOf, type Run } from '@plumbline/flow'
import { releasedAnswer } from '../present/answer'

const mostTurns = 6
const mostCharacters = 1_000

const within = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`

/** What a run said as far as it was released: its caveat with it, and what it asked back whole. Of quotes the first is enough. */
const saidBy = (run: Run): string => {
  const answer = releasedAnswer(run)
  if (!answer) return ''
  const { caveat, text, kind, quotes, question } = answer
  const back = question === undefined ? '' : `\n\n${question}`
  const said = [caveat, text, kind === 'quoted' ? quotes?.[0]?.text : undefined].filter(Boolean).join('\n\n')
  return `${within(said, mostCharacters - back.length)}${back}`
}

const turnOf = (run: Run) => ({ runId: run.id, question: questionOf(run), text: saidBy(run) })

/** The runs that a thread had up to this one, oldest first, as far as it knows of them. */
export const upTo = ({ id, inThread }: Run): string[] => [
  ...(inThread?.turns ?? []).flatMap(({ runId }) => runId ?? []),
  ...(inThread?.runId === undefined ? [] : [inThread.runId]),
  id,
]

/** What the asker says was asked and answered before. */
export type Turn = { question: string; text: string }

/** Where a question goes on from whose asker brings the conversation along: words to understand it by, and no passage. */
export const brought = (turns: Turn[]): Run['inThread'] => {
  const shown = turns.slice(-mostTurns - 1).map(({ question, text }) => ({
    question: within(question, mostCharacters),
    text: within(text, mostCharacters),
  }))
  const last = shown.pop()
  return last && { ...last, status: 'answered', passageIds: [], ...(shown.length > 0 && { turns: shown }) }
}

/** Where a question in a thread goes on from. The runs are those that its asker may read, oldest first. */
export const conversation = (runs: Run[]): Run['inThread'] => {
  const last = runs.at(-1)
  if (!last) return undefined
  const turns = runs.slice(0, -1).slice(-mostTurns).map(turnOf)
  // Who may read a run may read all that its asker could, and so what was summed up for it.
  const summary = last.summary ?? last.inThread?.summary
  return {
    ...turnOf(last),
    status: last.status,
    passageIds: releasedAnswer(last)?.citations.map(({ passageId }) => passageId) ?? [],
    ...(turns.length > 0 && { turns }),
    ...(summary !== undefined && { summary }),
  }
}
