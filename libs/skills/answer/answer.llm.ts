import { askText } from '../asking/ask-text'
import type { AskedText } from '../asking/ask-text'
import type { ModelOf } from '../asking/asking'
import { inOrder, numbered, within } from '../asking/passages'
import type { Answer, Call } from '../skill'
import type { Drafting } from './answer.prompt'
import { answerPrompt } from './answer.prompt'
import { drafted, faultIn, telling } from './drafting'
import { bestOf } from './per-passage'

const draftBy = (chat: ModelOf, input: Drafting, call: Call, onDelta?: (text: string) => void): Promise<AskedText> =>
  askText({
    chat,
    skill: 'answer',
    prompt: answerPrompt,
    input,
    call,
    faultIn: (text) => faultIn(text, input),
    ...(onDelta && { onDelta }),
  })

/**
 * The model's words, with its calculations worked out by code. A draft that is streamed is not repaired: somebody has seen it. What
 * cites nothing also after the repair stays, for the check to find.
 */
export const llmAnswer =
  (chat: ModelOf, evidenceTokens: number): Answer =>
  async ({ evidence, ...given }, call) => {
    call.signal.throwIfAborted()
    if (evidence.length === 0) return { kind: 'refused', reason: 'There is nothing to write from.' }
    const { question, steps, onDelta } = given
    const words = [question, ...steps.map((step) => step.question)].join('\n')
    const passages = numbered(within(evidenceTokens, words, inOrder(evidence)))
    const input = { ...given, passages }
    const told = onDelta && telling(onDelta)
    const asked = given.perPassage
      ? await bestOf(chat, input, call, (own, at) => draftBy(chat, own, at))
      : await draftBy(chat, input, call, told?.hear)
    if (asked.kind === 'refused') return asked
    const written = await drafted(asked.text, input)
    if (written.kind === 'written') told?.finish(written.text)
    return written
  }
