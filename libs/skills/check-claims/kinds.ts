import type { ClaimKind } from '@plumbline/contracts'
import { numbers, words } from '@plumbline/knowledge/text'
import { isBareReply } from './against-question'

const courtesy =
  /^(?:here (?:is|are)|below (?:is|are)|sure\b|certainly\b|of course\b|i hope|let me know|in summary|to summari[sz]e|in short|please\b|thank)/i
const lead = /:$/
const cause =
  /\b(?:because|due to|caus(?:e|es|ed|ing)|leads? to|led to|results? in|resulted in|owing to|thanks to|so that|the reason)\b/i
const inference =
  /\b(?:therefore|thus|hence|impl(?:y|ies|ied)|suggests?|indicates?|likely|probably|presumably|it follows|appears to|seems to|in conclusion)\b/i
const order =
  /\b(?:first(?:ly)?,|second(?:ly)?,|then\b|next,|finally,|before\b|after(?:wards)?\b|followed by|step \d|subsequently|in that order)/i

/** A sentence that says nothing that could be true or false. */
export const isStyle = (claim: string): boolean =>
  (words(claim).length === 0 && !isBareReply(claim)) ||
  /\?$/.test(claim.trim()) ||
  (numbers(claim).length === 0 &&
    (courtesy.test(claim.trim()) || (lead.test(claim.trim()) && words(claim).length <= 8)))

export const isCause = (claim: string): boolean => cause.test(claim)

export const kindOf = (claim: string): ClaimKind => {
  if (isStyle(claim)) return 'style'
  if (inference.test(claim)) return 'inference'
  if (isCause(claim)) return 'cause'
  if (order.test(claim)) return 'order'
  return numbers(claim).some(({ raw, unit }) => /\d/.test(raw) && unit !== 'th') ? 'number' : 'fact'
}
