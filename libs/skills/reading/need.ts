import { numbers, spans, stem, subjectWords, years } from '@plumbline/knowledge/text'

export type Want =
  | 'count'
  | 'frequency'
  | 'duration'
  | 'when'
  | 'who'
  | 'where'
  | 'list'
  | 'meaning'
  | 'why'
  | 'choice'
  | 'yes-no'
  | 'fact'
/** What a question looks for in prose. */
export type Need = { words: string[]; names: string[]; years: string[]; want: Want; count: number | null }

const listed =
  /\b(?:types?|kinds?|categor(?:y|ies)|stages?|phases?|steps?|components?|parts|elements|ways|methods|approaches|reasons|examples|subtypes|subcategories|forms|features|list|options|names|processes|biases|sources)\b/i
const yesNo = /^(?:is|are|was|were|do|does|did|can|could|has|have|had|will|would|should|may)\b/i

/** `the nationality of the singer who wrote it` asks for no person. */
const asksWho = (asked: string): boolean =>
  /^(?:\w+\s+)?who(?:m|se)?\b|\b(?:by|to|for|with|from|and|,) whom?\b|\bwho\?*$/i.test(asked) ||
  (/\bwho(?:m|se)?\b/i.test(asked) && !/\b(?:what|which|when|where|why|how)\b/i.test(asked) && !yesNo.test(asked))

/** `What happens when …`: the time is not what is asked for. */
const condition =
  /^(?:what|which|who|whom|why|how|where)\b(?!.*\b(?:know|say|tell)\b).*(?<!\b(?:and|or|since|until|from|by),?|,)\swhen\b(?!\s*[?.!]*$)/i

export const wantOf = (question: string): Want => {
  const asked = question
    .trim()
    .replace(/^(?:and|also|please|in|at|on|for|by|to|of|from|about|according to [^,]+,)\s+/i, '')
  if (
    /\bhow long\b|\bfor how (?:long|many (?:seconds|minutes|hours|days|weeks|months|years))\b|\bduration\b/i.test(asked)
  )
    return 'duration'
  if (
    /\bhow (?:many|much|old|far|large|big|high|tall|heavy|massive|dense|deep|wide|thick|fast|loud|hot|cold|expensive|distant)\b|\b(?:what|which) (?:percentage|percent|share|number|amount|proportion)\b/i.test(
      asked,
    )
  )
    return 'count'
  if (/\bhow (?:often|frequently)\b/i.test(asked)) return 'frequency'
  if (
    (/\bwhen\b/i.test(asked) && !condition.test(asked)) ||
    /\b(?:what|which) (?:year|date|month|day|decade|century)\b/i.test(asked)
  )
    return 'when'
  if (asksWho(asked)) return 'who'
  if (/^where\b|\b(?:what|which) (?:city|country|state|county|place|location|continent|town|province)\b/i.test(asked))
    return 'where'
  if (/^why\b|\bwhat (?:causes?|caused|is the reason)\b/i.test(asked)) return 'why'
  if (
    /\b(?:what|which|list|name)\b/i.test(asked) &&
    (listed.test(asked) ||
      /\b(?:what|which)\s+(?:are\s+)?(?:the\s+)?(?:two|three|four|five|six|seven|eight|nine|ten)\b/i.test(asked) ||
      /^what are the\b/i.test(asked))
  )
    return 'list'
  if (
    /^(?:what (?:is|are|does)|define|explain|describe)\b/i.test(asked) &&
    (/\b(?:mean|stand for|stands for)\b/i.test(asked) || spans(asked).length <= 8)
  )
    return 'meaning'
  if (yesNo.test(asked)) return /\bor\b/i.test(asked) ? 'choice' : 'yes-no'
  return /^(?:which|what|who)\b.*,.*\bor\b/i.test(asked) ? 'choice' : 'fact'
}

/** Names weigh more and must be there: a fact about another thing is no answer. */
const namesOf = (question: string): string[] => {
  const all = spans(question)
  const capital = all.filter(({ raw }) => /^\p{Lu}/u.test(raw)).length
  if (capital > Math.max(4, 0.6 * all.length)) return []
  const asked = new Set(subjectWords(question))
  return [
    ...new Set(
      all
        .filter(({ raw }, at) => (at > 0 && /^\p{Lu}/u.test(raw)) || /\p{Lu}.*\p{Lu}|\d.*\p{L}|\p{L}.*\d|_/u.test(raw))
        .map(({ token }) => stem(token)),
    ),
  ].filter((word) => asked.has(word))
}

const counts = new Set(['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'])

export const needOf = (question: string): Need => ({
  words: [...new Set(subjectWords(question))].filter((word) => !counts.has(word)),
  names: namesOf(question),
  years: years(question),
  want: wantOf(question),
  count: numbers(question).find(({ raw }) => counts.has(raw.toLowerCase()))?.value ?? null,
})

const time =
  /\b(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|decades?|centur(?:y|ies)|ms|milliseconds?|forever|permanent(?:ly)?|indefinite(?:ly)?|briefly)\b/i

const often =
  /\b(?:once|twice|times|every|each|per|daily|nightly|hourly|weekly|monthly|quarterly|yearly|annual(?:ly)?|always|never|rarely|seldom|sometimes|usually|regularly|(?:an?|the) (?:second|minute|hour|day|week|month|quarter|year))\b/i

const moment =
  /\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|noon|midnight|mornings?|afternoons?|evenings?|nights?|spring|summer|autumn|winter|when|once|after|before|until|during|while|as soon as)\b|\b\d{1,2}[:.]\d{2}\b|\b\d{1,2}\s*(?:[ap]\.?m\b|o['’]clock)/i

/** Whether a text holds the kind of thing that is wanted. */
export const satisfies = (text: string, want: Want): boolean => {
  switch (want) {
    case 'count':
      return numbers(text).some(({ unit }) => unit !== 'th')
    case 'frequency':
      return often.test(text)
    case 'duration':
      return time.test(text)
    case 'when':
      return (
        years(text).length > 0 ||
        /\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b/i.test(text) ||
        moment.test(text) ||
        time.test(text) ||
        often.test(text)
      )
    case 'who':
    case 'where':
      return spans(text).some(({ raw }, at) => at > 0 && /^\p{Lu}/u.test(raw))
    case 'list':
      return text.split(/,|;|\band\b/).length >= 2
    case 'meaning':
    case 'why':
    case 'choice':
    case 'yes-no':
    case 'fact':
      return true
  }
}
