import type { Passage } from '@plumbline/contracts'
import { normal } from '../text'
import { newer } from './amendments'

/** Under other headings, or in a document of another title, the same words say something else. */
const keyOf = ({ title, headingPath, text }: Passage): string => JSON.stringify([title, headingPath, normal(text)])

/** Passages that say the same word for word are one, in the place of the best; of two dates the newer stands. */
export const eachTextOnce = <Found>(ranked: readonly Found[], passageOf: (found: Found) => Passage): Found[] => {
  const kept = new Map<string, Found>()
  for (const found of ranked) {
    const passage = passageOf(found)
    const key = keyOf(passage)
    const held = kept.get(key)
    if (held === undefined || newer(passage, passageOf(held))) kept.set(key, found)
  }
  return [...kept.values()]
}
