const greeting =
  /^(?:hi|hiya|hello|hey|howdy|yo|greetings|good (?:morning|day|afternoon|evening|night)|what'?s up|how are you|how(?:'s| is) it going|how do you do|nice to meet you)\b/i
const thanks =
  /^(?:(?:many |great |okay |ok |perfect,? )?(?:thanks?|thank you|thx|cheers)|much appreciated|appreciated|i appreciate)\b/i
const farewell = /^(?:bye|goodbye|see (?:you|ya)|cya|farewell|have a (?:nice|good|great))\b|\b(?:goodbye|bye)[.!]*$/i
const short =
  /^(?:yes|no|ok|okay|sure|maybe|great|cool|nice|perfect|fine|wow|lol|haha|test|testing|ping|sorry|never ?mind|stop|cancel)[\s.!]*$/i
const itself = new RegExp(
  [
    String.raw`\bwho (?:are|made|built|created|programmed) you\b`,
    String.raw`\bwhat (?:are|can|could|do) you (?:do|able to do|help|know|answer|called|capable)\b`,
    String.raw`\bwhat are you\b`,
    String.raw`\bwhat(?:'s| is) your (?:name|job|purpose)\b`,
    String.raw`\bare you (?:a|an) (?:\w+ )?(?:bot|robot|human|person|machine|ai|computer|program)\b`,
    String.raw`\b(?:what|which) (?:questions|things|topics|documents|collections|subjects) (?:can|may|could|do) (?:i|you)\b`,
    String.raw`\bwhat (?:can|may|could|am) i (?:allowed to )?ask\b`,
    String.raw`\bhow (?:can|could|do) you help\b|\bhow do i use (?:you|this)\b|^help(?: me)?[?.!]*$`,
    String.raw`\bwhat do you call yourself\b|\bhow old are you\b|\bwhere are you from\b`,
  ].join('|'),
  'i',
)
const question = /\b(?:what|which|who|when|where|why|how|retrieve|list|compare|tell|show|give|find)\b/i

/** What a person says to be polite, or asks about whom they are talking to. A greeting before a question is not the question. */
export const isSmallTalk = (text: string): boolean => {
  const said = text.trim()
  if (short.test(said) || farewell.test(said)) return true
  if (itself.test(said)) return said.length < 90
  const polite = greeting.exec(said) ?? thanks.exec(said)
  if (!polite) return false
  const rest = said.slice(polite[0].length)
  return !question.test(rest) || rest.trim().length < 12
}
