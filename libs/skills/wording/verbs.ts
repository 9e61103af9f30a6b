/** How a word can stand as a verb. A regular past form is a participle as well. */
export type VerbForm = 'base' | 'third' | 'past' | 'participle' | 'ing'

const regular = `
  accept achieve act add adopt affect allow announce answer appear apply appoint approve arrive ask assume attack attain attend award
  base belong border call capture carry cause cease change claim close collect compare complete compose conduct connect contain
  continue control cover create cross cure declare defeat defend define deliver depict describe design destroy develop die direct
  discover display dissolve divide dominate earn educate elect employ enact enter establish examine exist expand explain export
  extend feature finance finish flow follow form found govern graduate handle happen help host house import improve include
  increase inhabit inspire introduce invade invent involve issue join kill land last launch link list live locate lose maintain manage
  manufacture mark marry measure mention merge move name need neighbor obtain occupy occur open operate order organise organize
  originate own participate pass patrol perform place plan play populate praise premiere prepare prevent print produce promote
  propose protect prove provide publish purchase reach receive recommend record reduce reign release remain remove replace report
  represent require reside resign result return rule sample serve serve share sign sign separate settle star start state
  stop succeed support surround translate travel try turn update use visit vote want watch work bundle dock shoot
`
const irregular = `
  be was been|become became become|begin began begun|bring brought brought|build built built|buy bought bought|choose chose chosen
  |come came come|draw drew drawn|drive drove driven|fall fell fallen|fight fought fought|find found found|fly flew flown|get got got
  |give gave given|go went gone|grow grew grown|hold held held|keep kept kept|know knew known|lead led led|leave left left|lie lay lain
  |lose lost lost|make made made|mean meant meant|meet met met|pay paid paid|put put put|rise rose risen|run ran run|say said said
  |see saw seen|sell sold sold|send sent sent|set set set|show showed shown|sing sang sung|sit sat sat|speak spoke spoken
  |spend spent spent|stand stood stood|take took taken|teach taught taught|tell told told|think thought thought|wear wore worn
  |win won won|write wrote written|bear bore born|break broke broken|cut cut cut|feel felt felt|forbid forbade forbidden|hit hit hit
  |lend lent lent|read read read|ride rode ridden|seek sought sought|shoot shot shot|swim swam swum|predate predated predated
`
/** As often nouns as verbs: only the place they stand in tells. */
const alsoNouns = new Set(
  'act answer attack award base border call cause change claim control cover cross cure design display export feature finish flow form found help host house import increase issue land launch link list lead mark measure name need order place plan play premiere print promote record reign release report result return rule run sample set share show sign star start state stop support travel try turn update use visit vote watch win work stand fall rise fight cut hit ride read draw drive go take'.split(
    ' ',
  ),
)

const forms = new Map<string, Set<VerbForm>>()
const put = (word: string, form: VerbForm): void => void forms.set(word, (forms.get(word) ?? new Set()).add(form))
const third = (base: string): string => {
  if (/(?:s|x|z|ch|sh|o)$/.test(base)) return `${base}es`
  return /[^aeiou]y$/.test(base) ? `${base.slice(0, -1)}ies` : `${base}s`
}
const stemmed = (base: string): string => {
  if (base.endsWith('e')) return base.slice(0, -1)
  return /^(?:stop|run|get|set|sit|cut|hit|put|win|swim|begin|star|plan)$/.test(base) ? base + base.slice(-1) : base
}
const past = (base: string): string => (/[^aeiou]y$/.test(base) ? `${base.slice(0, -1)}ied` : `${stemmed(base)}ed`)
const common = (base: string): void => {
  put(base, 'base')
  put(third(base), 'third')
  put(`${base === 'die' || base === 'lie' ? `${base[0]}y` : stemmed(base)}ing`, 'ing')
}
for (const base of regular.trim().split(/\s+/)) {
  common(base)
  put(past(base), 'past')
  put(past(base), 'participle')
}
for (const line of irregular.split('|')) {
  const [base = '', before = '', done = ''] = line.trim().split(/\s+/)
  common(base)
  put(before, 'past')
  put(done, 'participle')
}

const auxiliaries = new Set(
  'is are was were be been am do does did has have had can could will would shall should may might must'.split(' '),
)
export const isAuxiliary = (word: string): boolean => auxiliaries.has(word)

const none: ReadonlySet<VerbForm> = new Set()
/** The verb forms a word can be; endings speak for words the lists do not know. */
export const verbForms = (word: string): ReadonlySet<VerbForm> => {
  const known = forms.get(word)
  if (known) return known
  if (/^[a-z]{3,}ed$/.test(word) && !/eed$/.test(word)) return new Set<VerbForm>(['past', 'participle'])
  return none
}
export const maybeNoun = (word: string): boolean => alsoNouns.has(word) || alsoNouns.has(word.replace(/s$/, ''))
