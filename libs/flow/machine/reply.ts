import type { Released } from '@plumbline/contracts'
import type { TaskOf } from '../map/task'
import { draftAsAnswer, finish, park, release } from './endings'
import type { Move } from './move'
import { change, open, tell } from './move'
import type { Transition } from './transition'

type To = TaskOf<'reply'>['to']
export const openReply = (move: Move, to: To, logic: string): Move =>
  open(move, { id: 'reply.1', kind: 'reply', openedAt: move.at, to, logic })

const narrower = 'Which part of this, which case or which time matters most to you?'

/** What could be checked is the answer; the question that comes with it is for the next run of the thread. */
export const askNarrower = (move: Move, question = narrower): Move =>
  finish(move, 'needs_input', 'needs_input.too-broad', { ...draftAsAnswer(move.run), question })

const smallTalk = 'This is a general reply. It is not from the documents.'

/** What no document was read for goes out marked, or waits for a person as any draft does that was not checked. */
const knowledge = (move: Move, { text, citations }: Released): Move => {
  const drafted = change(move, { draft: { draft: 1, text, citations } })
  return move.run.policy.generalKnowledge === 'mark'
    ? release(drafted, 'answered.unchecked', 'general')
    : park(drafted, 'parked.general')
}

export const refusedBy = (move: Move, reason: string): Move =>
  tell(tell(move, { type: 'noted', audience: 'asker', note: 'A model refused to answer.' }), {
    type: 'refused-by-model',
    audience: 'desk',
    reason,
  })

export const reply: Transition<'reply'> = (move, task, result) => {
  if (result.outcome === 'refused') {
    const told = refusedBy(move, result.reason)
    if (task.to === 'narrow') return askNarrower(told)
    return task.to === 'decline'
      ? finish(told, 'declined', 'declined.out-of-scope')
      : finish(told, 'unanswered', 'unanswered.refused')
  }
  const { text, written } = result
  const answer: Released = { kind: 'written', text, citations: [] }
  switch (task.to) {
    case 'general':
      return finish(move, 'answered', 'answered.general', { ...answer, ...(written && { caveat: smallTalk }) })
    case 'knowledge':
      return knowledge(move, answer)
    case 'clarify':
      return finish(move, 'needs_input', 'needs_input.clarify', answer)
    case 'decline':
      return finish(move, 'declined', 'declined.out-of-scope', answer)
    case 'narrow':
      return askNarrower(move, text)
  }
}
