const denied: RegExp[] = [
  /^.*?\b(?:assum|presum|premise|contrary to|suppos|takes for granted)\w*\b.*?(?:,|;|:|—)\s*(?:but|however|though|yet|while|whereas)?\s*/i,
  /\bnot\b[^,;.]*?\b(?=but\b)/gi,
  /,?\s*\b(?:not|rather than|instead of|and not)\b[^,;]*?(?=[.!?]?$|,|;)/gi,
]

/** A claim without what it denies: a sentence that corrects a question holds the question's figures, too, and they stand nowhere. */
export const asserted = (claim: string): string => denied.reduce((text, part) => text.replace(part, ''), claim)
