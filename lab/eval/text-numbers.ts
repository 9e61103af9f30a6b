export const withoutCitations = (text: string): string => text.replace(/\s?\[\d+(?:\s*,\s*\d+)*\]/g, '')

const sizes: Record<string, number> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  mn: 1e6,
  million: 1e6,
  b: 1e9,
  bn: 1e9,
  billion: 1e9,
}
const written =
  /(?<![\p{L}\p{N}_.,]|\p{L}-)([-+]?)(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(st|nd|rd|th)?(?![\p{N}_])\s?-?(thousand|million|billion|mn|bn|[kmb])?(?![\p{L}\p{N}])/giu
const attached = /(?<![\p{L}\p{N}_.,]|\p{L}-)([-+]?)(\d+(?:\.\d+)?)(?=(?:%|°|\p{L}{1,4})(?![\p{L}\p{N}]))/giu

/** A number in a text. `isRank`: true for ordinals such as `2nd`. */
export type TextNumber = { value: number; raw: string; isRank: boolean }

/** Ignores digits inside identifiers and citations. */
export const numbersIn = (text: string): TextNumber[] => {
  const plain = withoutCitations(text)
    .normalize('NFKC')
    .replace(/[‐-―−]/g, '-')
    .replace(/(?<=\d)-(?=[$€£]?\d)/g, ' - ')
    .replace(/(?<=\d) - (?=\d)/g, '  ')
  const found = [...plain.matchAll(written), ...plain.matchAll(attached)].map((match) => {
    const [raw, sign, digits = '', rank, size = ''] = match
    const value = Number(digits.replaceAll(',', '')) * (sizes[size.toLowerCase()] ?? 1)
    return {
      at: match.index,
      said: { value: sign === '-' ? -value : value, raw: raw.trim(), isRank: rank !== undefined },
    }
  })
  return found
    .filter(({ at }, nth) => found.findIndex((other) => other.at === at) === nth)
    .sort((a, b) => a.at - b.at)
    .map(({ said }) => said)
}
