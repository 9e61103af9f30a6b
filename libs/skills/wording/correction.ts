/** How a sentence begins that puts right what a question takes for granted. It claims nothing itself. */
export const correction = 'Other than the question says, '

export const withoutCorrection = (claim: string): string =>
  claim.startsWith(correction) ? claim.slice(correction.length) : claim
