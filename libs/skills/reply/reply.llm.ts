import { strayAddresses, strayFigures } from '@plumbline/knowledge/claims'
import { askText } from '../asking/ask-text'
import type { ModelOf } from '../asking/asking'
import { asPassage } from '../asking/workings'
import type { Reply } from '../skill'
import { offlineReply } from './reply.offline'
import { replyPrompt } from './reply.prompt'

type Input = Parameters<Reply>[0]

/** Nobody checks a reply, so it may hold no address, and no figure but one in the name of what can be asked about. */
const isPlain = (text: string, { collections, dimensions = [] }: Input): boolean => {
  const names = [...collections.map(({ name }) => name), ...dimensions]
  return strayAddresses(text, []).length === 0 && strayFigures(text, names.map(asPassage)).length === 0
}

export const llmReply =
  (chat: ModelOf): Reply =>
  async (input, call) => {
    const asked = await askText({ chat, skill: 'reply', prompt: replyPrompt, input, call })
    if (asked.kind === 'refused') return { text: '', refused: asked.reason }
    return isPlain(asked.text, input) ? { text: asked.text, written: true } : offlineReply(input, call)
  }
