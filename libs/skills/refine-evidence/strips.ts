import { sentencesOf, textBlocks } from '@plumbline/knowledge/text'
import { plain } from '../reading/units'

export type Strip = { kind: 'table' | 'sentence'; text: string; plain: string }

/** A passage in strips, in order: each table whole with the line above it, each sentence and list item alone. */
export const stripsOf = (text: string): Strip[] => {
  const found: Strip[] = []
  for (const block of textBlocks(text)) {
    const last = found.at(-1)
    if (block.kind !== 'table')
      found.push(
        ...sentencesOf(block).map((sentence): Strip => ({ kind: 'sentence', text: sentence, plain: plain(sentence) })),
      )
    else if (last?.kind === 'table') last.text += `\n${block.text}`
    else {
      const caption =
        last !== undefined && /^(?:\W*)(?:table|exhibit|figure)\b/i.test(last.text) ? `${found.pop()?.text}\n\n` : ''
      found.push({ kind: 'table', text: caption + block.text, plain: block.text })
    }
  }
  return found
}
