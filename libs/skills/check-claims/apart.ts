import { coverage, stopWords, tokens, words } from '@plumbline/knowledge/text'

/** Words about sources and questions themselves are nobody's subject. */
const aboutSources = new Set(
  words(
    'source passage document report evidence text contradict disagree differ conflict question assume premise wrong true',
  ),
)

const share = (all: string[]): number => all.filter((token) => stopWords.has(token)).length / Math.max(1, all.length)
const enoughToTell = 20

/** Words can only be compared within one language, and English is the one whose small words are known here. */
const comparable = (claim: string, source: string): boolean => {
  const prose = tokens(source.replace(/^\s*\|.*\|\s*$/gm, ''))
  return share(tokens(claim)) >= 0.25 && (prose.length < enoughToTell || share(prose) >= 0.15)
}

/** Whether a claim has next to no word in common with the text that is said to carry it. A sentence reworded to the last word is held, too. */
export const isApart = (claim: string, source: string): boolean => {
  const said = new Set(words(claim).filter((word) => !aboutSources.has(word)))
  if (said.size < 2 || !comparable(claim, source)) return false
  const common = coverage([...said], words(source))
  return said.size >= 4 ? common < 0.25 : common === 0
}
