import { stem } from '@plumbline/knowledge/text'

const stems = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/).map(stem))

/** Words that stand in descriptions and questions of any subject, and so show none. */
export const generic = stems(`
  value values number numbers figure figures data datum detail details information info result results amount statistic statistics stat
  report document article paper table text page section chapter file list source reference note example question answer word
  year month day week date time period quarter today yesterday tomorrow now current currently latest recent next last previous
  thing kind type sort way part part name total whole good better best well new old big small high low large long short many much lot
  use used using make made do get give tell find help know mean need want like please explain describe show compare retrieve define
  definition different difference work happen include included contain contains one two three first second third several
`)
/** Says only that some value is wanted. */
export const valueNouns = stems(
  'value number figure data detail information info result amount statistic stat reading total',
)
/** What there are several of, so that "the …" alone does not say which. */
export const placeNouns = stems(`
  center centre facility site region location country city place area zone plant building campus office branch store warehouse factory
  state province district hospital school
`)
export const instanceNouns: ReadonlySet<string> = new Set([
  ...placeNouns,
  ...stems(
    'company organisation organization product project department supplier vendor customer person team item one option version model device vehicle case group',
  ),
])
/** Quantities that are reported anew from time to time. */
export const measures = stems(`
  efficiency effectiveness emission consumption usage intensity rate ratio share percentage percent revenue sale sales profit income
  earning turnover cost price budget spend spending headcount population unemployment inflation growth output production score rating
  rainfall temperature average attendance churn margin
`)
/** What a thing has once and for all: a question for it names the thing, and needs no time. */
export const properties = stems(`
  mass weight density diameter radius height length width depth altitude area volume gravity colour color owner author founder
`)
/** Words that say over what a value is taken, so that nothing is left open. */
export const scopes = stems(`
  highest lowest most least largest smallest biggest best worst average mean median total overall global worldwide fleet all every each
  any both sum combined maximum minimum rank ranking trend goal target plan policy definition formula method maximal
`)
/** Subjects of everyday talk; they count only where the collections are not about them. */
export const everyday = stems(`
  weather rain raining snowing sunny umbrella forecast recipe cook cooking bake pizza calorie dish joke poem lullaby riddle story
  horoscope zodiac lottery football soccer basketball baseball tennis cricket olympics championship tournament match playoff movie film
  actor actress celebrity singer song lyrics album concert netflix tv uber iphone android shoe dress outfit gift birthday wedding
  girlfriend boyfriend dating love marriage dog cat puppy horse spanish french german italian japanese chinese bitcoin crypto
  alarm timer reminder playlist tire tires directions diet yoga headache symptom president election senator war painting painter novel poet
  capital planet universe religion god philosophy homework essay
`)

/** Those that papers of many a company speak of too. */
export const atWork = stems(`
  lunch dinner breakfast restaurant meal cup flight hotel vacation holiday trip visa passport luggage airline taxi smartphone phone pet
  translate translation javascript python java typescript rust html css regex algorithm programming compiler stock stocks invest mortgage
  loan credit debit bank account calendar volume oil gas traffic workout gym doctor medicine
`)
