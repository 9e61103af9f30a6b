import { draftAsAnswer, finish } from './endings'
import type { Move } from './move'
import { open, tell } from './move'
import type { Transition } from './transition'

type To = 'general' | 'clarify' | 'narrow'
export const openReply = (move: Move, to: To, logic: string): Move =>
  open(move, { id: 'reply.1', kind: 'reply', openedAt: move.at, to, logic })

const narrower = 'Which part of this, which case or which time matters most to you?'

/** What could be checked is the answer; the question that comes with it is for the next run of the thread. */
export const askNarrower = (move: Move, question = narrower): Move =>
  finish(move, 'needs_input', 'needs_input.too-broad', { ...draftAsAnswer(move.run), question })

export const refusedBy = (move: Move, reason: string): Move =>
  tell(tell(move, { type: 'noted', audience: 'asker', note: 'A model refused to answer.' }), {
    type: 'refused-by-model',
    audience: 'desk',
    reason,
  })

export const reply: Transition<'reply'> = (move, task, result) => {
  if (result.outcome === 'refused') {
    const told = refusedBy(move, result.reason)
    return task.to === 'narrow' ? askNarrower(told) : finish(told, 'unanswered', 'unanswered.refused')
  }
  const { text } = result
  switch (task.to) {
    case 'general':
      return finish(move, 'answered', 'answered.general', { text, citations: [] })
    case 'clarify':
      return finish(move, 'needs_input', 'needs_input.clarify', { text, citations: [] })
    case 'narrow':
      return askNarrower(move, text)
  }
}
