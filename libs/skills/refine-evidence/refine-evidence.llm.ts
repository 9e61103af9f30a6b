import { z } from 'zod'
import { askModel } from '../asking/ask-model'
import type { ModelOf } from '../asking/asking'
import { offlineInstead } from '../asking/last-rung'
import type { RefineEvidence } from './refine-evidence'
import { offlineRefineEvidence } from './refine-evidence.offline'
import { refineEvidencePrompt } from './refine-evidence.prompt'
import { stripsOf } from './strips'

const Chosen = z.object({ strips: z.array(z.int()) })

/** The model only points: what is kept is the passage's own text, word for word and in its order. */
export const llmRefineEvidence =
  (chat: ModelOf): RefineEvidence =>
  async (input, call) => {
    call.signal.throwIfAborted()
    const strips = stripsOf(input.passage.text)
    if (strips.length === 0) return []
    const asked = await askModel({
      chat,
      skill: 'refineEvidence',
      prompt: refineEvidencePrompt,
      input: { ...input, strips },
      call,
      schema: Chosen,
    })
    if (asked.kind === 'refused') return offlineInstead('refineEvidence', offlineRefineEvidence)(input, call)
    return strips.filter((_, at) => asked.value.strips.includes(at + 1)).map(({ text }) => text)
  }
