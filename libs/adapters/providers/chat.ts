import type { ChatModel, ChatReply, ChatRequest } from '@plumbline/ports/chat-model'
import { callerOver } from './caller'
import type { Guard, Resilience } from './guard'

export type ChatGuard = Guard<ChatRequest, ChatReply>

/** A chat model that stands on several providers: the first is the one that was set, the others stand in for it. */
export const chatModelOver = (guards: [ChatGuard, ...ChatGuard[]], parts: Resilience): ChatModel => {
  const call = callerOver(guards, parts)
  const [{ provider }] = guards
  return {
    name: `${provider.model} at ${provider.host}`,
    chat: ({ onDelta, ...request }) => {
      let begun = false
      const heard =
        onDelta &&
        ((text: string): void => {
          begun = true
          onDelta(text)
        })
      return call(
        { ...request, ...(heard && { onDelta: heard }) },
        { signal: request.signal, onCall: request.onCall, begun: () => begun },
      )
    },
  }
}
