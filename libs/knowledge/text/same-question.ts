import { sameFacts } from './same-facts'

const asking = 'who|whom|whose|what|when|where|which|why|how'
/** Words that mean the same with and without a capital where they begin a question; `May`, `Will`, `WHO` and `US` do not. */
const opening = new RegExp(
  `^(?:${asking}|is|are|was|were|do|does|did|has|have|had|can|could|should|would|tell|give|show|list|name|explain|describe|please|i|in|on|at|for|by|from|the)$`,
)

/** `Who's the owner` is short for `who is`; `who's left` may be `who has`. */
const short = new RegExp(
  `^(${asking})'s (?=(?:the|an?|our|my|your|his|her|their|its|this|that|these|those) |\\p{Lu})`,
  'u',
)

const request = '(?:can|could|would) you (?:please )?'
const leads = [
  new RegExp(`^please,? (?=${request}|tell me|give me|show me)`),
  new RegExp(`^${request}(?=tell me|give me|show me)`),
  new RegExp(`^(?:tell me|do you know|i want to know|i would like to know) (?=(?:${asking}) )`),
  /^(?:what is|tell me|give me|show me) (?=the |our )/,
]
const thanks = /\s*,\s*(?:please|thanks|thank you)$/
/** Where words themselves are asked about, politeness may be what is asked. */
const ofWords =
  /\b(?:say|says|said|saying|words?|phrases?|means?|meant|writes?|written|spell|spelt|translated?|reply|replies|replied)\b/i

const oneForm = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/[‘’ʼ]/g, "'")
    .replace(/[“”„]/g, '"')
    .replace(/[‐-―−]/g, '-')
    .replace(/\s+/g, ' ')
    .trim()

const lowerFirst = (text: string): string => {
  const [first = ''] = text.split(' ')
  const lower = `${first.charAt(0).toLowerCase()}${first.slice(1)}`
  return opening.test(lower.replace(/'s$|,$/, '')) ? lower + text.slice(first.length) : text
}
const withoutEnd = (text: string): string => text.replace(/(?<=[\p{L}\p{N})"'%])\s*[?.]+$/u, '')

/**
 * What a question asks, in the form that every other way of asking just that shares. Only what cannot change the meaning goes: how it
 * ends, how politely it begins, the capital of a word that only asks. Every other word stays as it is and where it is, for roles, order,
 * tense, number, case and little words all tell questions apart whose vectors cannot.
 */
export const askedForm = (question: string): string => {
  const whole = withoutEnd(lowerFirst(oneForm(question)))
  const plain = ofWords.test(whole) ? whole : whole.replace(thanks, '')
  const open = withoutEnd(plain).replace(short, '$1 is ')
  return leads.reduce((rest, lead) => lowerFirst(rest.replace(lead, '').replace(short, '$1 is ')), open)
}

/** Whether what was found or answered for one question may stand for the other. When in doubt it may not: a miss costs time, a wrong hit the truth. */
export const sameQuestion = (a: string, b: string): boolean =>
  askedForm(a) === askedForm(b) && sameFacts(oneForm(a), oneForm(b))

const ofTheMoment =
  /\b(?:now|nowadays|today|tonight|tomorrow|yesterday|current|currently|latest|recent|recently|newest|so far|until|still|yet|already|at present|presently|these days|up[- ]to[- ]date|upcoming|next|soon|overdue|expired?|expires|remaining|left|any ?more|(?:this|last|next|past|previous|coming) (?:\w+ )?(?:second|minute|hour|day|week|weekend|month|quarter|year|decade|spring|summer|autumn|fall|winter|monday|tuesday|wednesday|thursday|friday|saturday|sunday)s?|ago|since|old|as of)\b/i

/** Whether the answer depends on when it is asked, so that one of an hour ago may be wrong though no document has changed. */
export const asksOfTheMoment = (question: string): boolean => ofTheMoment.test(question)
