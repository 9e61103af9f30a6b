import { z } from 'zod'
import { askModel } from '../asking/ask-model'
import type { ModelOf } from '../asking/asking'
import type { RefineEvidence } from '../skill'
import { refineEvidencePrompt } from './refine-evidence.prompt'
import { stripsOf } from './strips'

const Chosen = z.object({ strips: z.array(z.int()) })

/** The model only points: what is kept is the passage's own text, word for word and in its order. Refused, all of it is kept. */
export const llmRefineEvidence =
  (chat: ModelOf): RefineEvidence =>
  async (given, call) => {
    call.signal.throwIfAborted()
    const strips = stripsOf(given.passage)
    if (strips.length === 0) return []
    const input = { ...given, strips }
    const asking = { chat, skill: 'refineEvidence' as const, prompt: refineEvidencePrompt, call, schema: Chosen }
    const asked = await askModel({ ...asking, input })
    return strips.filter((_, at) => asked.kind === 'refused' || asked.value.strips.includes(at + 1))
  }
