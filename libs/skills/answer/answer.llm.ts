import type { Evidence, Grade } from '@plumbline/contracts'
import { AppError } from '@plumbline/platform'
import { askText } from '../asking/ask-text'
import type { ModelOf } from '../asking/asking'
import type { Answer } from './answer'
import { offlineAnswer } from './answer.offline'
import { answerPrompt } from './answer.prompt'
import { drafting, uncited } from './drafting'

const height = (grade: Grade | undefined): number => (grade ? { high: 2, medium: 1, low: 0 }[grade.level] + grade.confidence / 2 : 0)
const bestFirst = (evidence: Evidence[]): Evidence[] => [...evidence].sort((a, b) => height(b.grade) - height(a.grade))

const faultOf = (text: string, evidence: Evidence[]): string | null => {
  const missing = uncited(text, evidence)
  return missing.length === 0 ? null : `These sentences cite no passage that was given:\n${missing.map((each) => `- ${each}`).join('\n')}`
}

/**
 * The model's sentences, with what is kept before them. A draft that is streamed is not repaired: somebody has seen it. A sentence
 * that still cites nothing stays, for the check to find.
 */
export const llmAnswer =
  (chat: ModelOf): Answer =>
  async (given, call) => {
    call.signal.throwIfAborted()
    if (given.evidence.length === 0) return offlineAnswer(given, call)
    const input = { ...given, evidence: bestFirst(given.evidence) }
    const draft = drafting(input)
    try {
      const asked = await askText({
        chat, skill: 'answer', prompt: answerPrompt, input, call,
        faultIn: (text) => faultOf(text, input.evidence),
        ...(given.onDelta && { onDelta: draft.hear }),
      })
      return asked.kind === 'refused' ? { text: '', citations: [], refused: asked.reason } : draft.finish(asked.text)
    } catch (error) {
      // What was streamed cannot be taken back here: only a new start of the task voids it, and no other writer may go on from it.
      if (draft.begun() && !call.signal.aborted) throw new AppError('model.cut-off', 'later', { cause: error })
      throw error
    }
  }
