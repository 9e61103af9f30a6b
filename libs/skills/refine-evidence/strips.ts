import { sentencesOf, textBlocks } from '@plumbline/knowledge/text'

export type Strip = { kind: 'table' | 'sentence'; text: string }

/** A passage in strips, in order: each table whole, each sentence and list item alone. */
export const stripsOf = (text: string): Strip[] => {
  const found: Strip[] = []
  for (const block of textBlocks(text)) {
    const last = found.at(-1)
    if (block.kind !== 'table') found.push(...sentencesOf(block).map((text): Strip => ({ kind: 'sentence', text })))
    else if (last?.kind === 'table') last.text += `\n${block.text}`
    else found.push({ kind: 'table', text: block.text })
  }
  return found
}
