import { finish } from './endings'
import type { Transition } from './transition'

export const reply: Transition<'reply'> = (move, task, { text }) =>
  task.to === 'general'
    ? finish(move, 'answered', 'answered.general', { text, citations: [] })
    : finish(move, 'needs_input', 'needs_input.clarify', { text, citations: [] })
