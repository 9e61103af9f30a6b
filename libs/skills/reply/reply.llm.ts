import { askText } from '../asking/ask-text'
import type { ModelOf } from '../asking/asking'
import type { Reply } from './reply'
import { replyPrompt } from './reply.prompt'

export const llmReply =
  (chat: ModelOf): Reply =>
  async (input, call) => {
    const asked = await askText({ chat, skill: 'reply', prompt: replyPrompt, input, call })
    return asked.kind === 'refused' ? { text: '', refused: asked.reason } : { text: asked.text }
  }
