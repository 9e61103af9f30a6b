import type { Released } from '@plumbline/contracts'
import type { Result } from '../schema/task-table'
import type { TaskOf } from '../schema/task'
import { draftAsAnswer, fallback, finish, park, release } from './endings'
import { caveats, replies } from './fixed-texts'
import { addEvent, change, type Move, open, type Transition } from './move'

type To = TaskOf<'reply'>['to']
type Replied = Extract<Result<'reply'>, { outcome: 'replied' }>

/** The task id contains a number, because a reviewer may continue a run that already had a reply. */
export const openReply = (move: Move, to: To, logic: string): Move => {
  const before = Object.keys(move.run.closed).filter((id) => id.startsWith('reply.')).length
  return open(move, { id: `reply.${before + 1}`, kind: 'reply', openedAt: move.at, to, logic })
}

export const askNarrower = (move: Move, question = replies.narrow): Move =>
  finish(move, 'needs_input', 'needs_input.too-broad', { ...draftAsAnswer(move.run), question })

export const fixedReply = (text: string): Released => ({ kind: 'written', text, citations: [] })

export const decline = (move: Move, answer = fixedReply(replies.decline)): Move =>
  finish(move, 'declined', 'declined.out-of-scope', answer)

const knowledge = (move: Move, text: string): Move => {
  const drafted = change(move, { draft: { draft: 1, text, citations: [] } })
  return move.run.policy.generalKnowledge === 'mark'
    ? release(drafted, 'answered.unchecked', 'general')
    : park(drafted, 'parked.general')
}

/** Matches numbers, links and addresses, which may mislead in an unchecked reply. */
const mayMislead = /\p{N}|\S[.:/@]\S/u

/**
 * Returns whether a reply may be shown to the asker. If a model wrote the text, the policy must allow it, and the text
 * must contain no number, link or address.
 */
const mayGoOut = ({ run }: Move, { text, written }: Replied): boolean =>
  !written || (run.policy.replies !== 'fixed' && !mayMislead.test(text))

const replyAnswer = (move: Move, to: Exclude<To, 'knowledge' | 'narrow'>, replied: Replied): Released => {
  if (!mayGoOut(move, replied)) return fixedReply(replies[to])
  return { ...fixedReply(replied.text), ...(replied.written && { caveat: caveats.reply }) }
}

export const refusedBy = (move: Move, reason: string): Move =>
  addEvent(addEvent(move, 'noted', { note: 'A model refused to answer.' }), 'refused-by-model', { reason })

const refused = (move: Move, to: To): Move => {
  if (to === 'narrow') return askNarrower(move)
  return to === 'decline' ? decline(move) : fallback(move, 'unanswered.refused')
}

export const reply: Transition<'reply'> = (move, { to }, result) => {
  if (result.outcome === 'refused') return refused(refusedBy(move, result.reason), to)
  switch (to) {
    case 'general':
      return finish(move, 'answered', 'answered.general', replyAnswer(move, to, result))
    case 'knowledge':
      return knowledge(move, result.text)
    case 'clarify':
      return finish(move, 'needs_input', 'needs_input.clarify', replyAnswer(move, to, result))
    case 'decline':
      return decline(move, replyAnswer(move, to, result))
    case 'narrow':
      return askNarrower(move, mayGoOut(move, result) ? result.text : undefined)
  }
}
