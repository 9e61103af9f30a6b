import { stem } from '@plumbline/knowledge/text'

/** Words people use for one another in reference texts, one group a line. General English; nothing of one collection. */
const groups = `
  efficiency effectiveness performance
  emission emissions pollutant
  carbon co2 ghg
  power energy electricity
  percentage share proportion ratio
  amount total quantity volume
  average mean
  cost price expense fee
  revenue sales turnover income
  profit earnings margin
  start begin launch
  end finish stop
  make build create produce
  delete remove erase
  change modify update
  increase growth rise improvement
  decrease decline drop reduction
  kind type category class
  method approach technique way
  step stage phase
  goal target objective aim
  rule policy guideline
  error fault failure
  job task work
  worker employee staff
  company organisation firm business
  customer client buyer
  purchase buy order
  contract agreement
  author writer
  director filmmaker
  movie film
  spouse wife husband
  birthplace hometown born
  died death
  located situated location
  country nation state
  city town municipality
  region area zone
  site facility campus
  center centre
  founded established formed
  limit maximum cap
  minimum lowest least
  definition meaning
  advantage benefit strength
  disadvantage drawback weakness
  reason cause
  effect result consequence
  example instance sample
  component part element
  feature function capability
  setting option parameter configuration
  duration time length
  fast quick speed
  size dimension
  memory storage
  security safety protection
  holiday vacation leave
  salary pay wage
  car vehicle automobile
  illness disease condition
  drug medication medicine
  treatment therapy
  study research trial
  patient subject participant
  law regulation act
  war conflict battle
  leader head chief
  president chairman
  school university college
  student pupil
  language tongue
  river stream
  song track single
  album record
  band group
  team club
  member participant
`
const byStem = new Map<string, string[]>()
for (const line of groups.trim().split('\n')) {
  const group = line.trim().split(/\s+/)
  for (const word of group)
    byStem.set(stem(word), [...(byStem.get(stem(word)) ?? []), ...group.filter((other) => stem(other) !== stem(word))])
}

/** Other words for a word, most common first; none for words the list does not know. */
export const synonyms = (word: string): string[] => [...new Set(byStem.get(stem(word)) ?? [])]
