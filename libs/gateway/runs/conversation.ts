import { questionOf, type Run } from '@plumbline/flow'
import { releasedAnswer } from '../present/answer'

const mostTurns = 6
const mostCharacters = 1_000

const within = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`

/** If an answer consists of quotes, returns only the first quote. */
const releasedText = (run: Run): string => {
  const answer = releasedAnswer(run)
  if (!answer) return ''
  const { caveat, text, kind, quotes, question } = answer
  const back = question === undefined ? '' : `\n\n${question}`
  const said = [caveat, text, kind === 'quoted' ? quotes?.[0]?.text : undefined].filter(Boolean).join('\n\n')
  return `${within(said, mostCharacters - back.length)}${back}`
}

const turnOf = (run: Run) => ({ runId: run.id, question: questionOf(run), text: releasedText(run) })

export const upTo = ({ id, inThread }: Run): string[] => [
  ...(inThread?.turns ?? []).flatMap(({ runId }) => runId ?? []),
  ...(inThread?.runId === undefined ? [] : [inThread.runId]),
  id,
]

export type ThreadTurn = { question: string; text: string }

/** Earlier turns that a client sends only help to understand the question. Turns of a thread also have passages. */
export const turnsFromClient = (turns: ThreadTurn[]): Run['inThread'] => {
  const shown = turns.slice(-mostTurns - 1).map(({ question, text }) => ({
    question: within(question, mostCharacters),
    text: within(text, mostCharacters),
  }))
  const last = shown.pop()
  return last && { ...last, status: 'answered', passageIds: [], ...(shown.length > 0 && { turns: shown }) }
}

/** `runs`: the runs of the thread that the asker may read, oldest first. */
export const conversation = (runs: Run[]): Run['inThread'] => {
  const last = runs.at(-1)
  if (!last) return undefined
  const turns = runs.slice(0, -1).slice(-mostTurns).map(turnOf)
  // The reader has all access tags of the last run, so the reader may see its summary of the thread.
  const summary = last.summary ?? last.inThread?.summary
  return {
    ...turnOf(last),
    status: last.status,
    passageIds: releasedAnswer(last)?.citations.map(({ passageId }) => passageId) ?? [],
    ...(turns.length > 0 && { turns }),
    ...(summary !== undefined && { summary }),
  }
}
