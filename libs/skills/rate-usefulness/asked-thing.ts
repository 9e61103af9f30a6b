import { isPerson, isPlace, isWork } from '../plan/kinds'
import { needOf } from '../reading/need'
import type { Thing } from '../wording/things'
import { isAuxiliary } from '../wording/verbs'

const organisations =
  /^(?:organi[sz]ation|company|corporation|firm|college|university|school|academy|institute|agency|manufacturer|publisher|label|band|group|club|team|network|party|airline)s?$/
const people =
  /^(?:musician|person|man|woman|artist|member|politician|actor|actress|wrestler|athlete|scientist|engineer|general|drummer|guitarist|comedian|host|model|men|women|people)s?$/
const classes =
  /^(?:genre|nationality|type|kind|sort|species|vegetation|colou?r|instrument|material|subject|occupation|profession|religion|language)s?$/
const measures =
  /\b(?:population|length|height|width|depth|distance|weight|size|area|age|amount|number|percentage|percent|rank|score|budget|price|cost|capacity|speed|rate|total|record|zip|code|acres?|miles?)\b/i

/** What can never be the answer where a thing of a kind is asked for. `who` may be a company as well. */
const never: Record<string, readonly Thing[]> = {
  who: ['place', 'nationality', 'number', 'date'],
  person: ['place', 'nationality', 'organisation', 'site', 'number', 'date', 'common'],
  place: ['person', 'organisation', 'number', 'date'],
  organisation: ['person', 'nationality', 'number', 'date'],
  work: ['person', 'nationality', 'site', 'organisation'],
  class: ['person', 'place', 'number', 'date'],
  measure: ['person', 'place', 'nationality', 'organisation', 'site'],
  name: ['number'],
}

const kindOfNoun = (noun: string): string | null => {
  if (classes.test(noun)) return 'class'
  if (organisations.test(noun)) return 'organisation'
  if (people.test(noun) || isPerson(noun)) return 'person'
  if (isPlace(noun)) return 'place'
  return isWork(noun) && noun !== 'game' ? 'work' : measures.test(noun) ? 'measure' : null
}

/** The noun that a question asks for: the last of the plain words after `what` or `which`, or the `type` in `type of tree`. */
const askedKind = (question: string): string | null => {
  const after =
    /\b(?:what|which)\s+(?:(?:is|are|was|were)\s+(?:the\s+|an?\s+)?)?((?:[\p{L}\d-]+\s+){0,5}[\p{L}\d-]+)/iu.exec(
      question,
    )?.[1] ?? ''
  const words = after.toLowerCase().split(/\s+/)
  const end = words.findIndex((word) => stops.test(word) || (isAuxiliary(word) && !isPerson(word)))
  return words
    .slice(0, end < 0 ? words.length : end)
    .reduce<string | null>((kind, word) => kindOfNoun(word) ?? kind, null)
}
const stops = /^(?:of|in|that|which|who|by|from|to|for|with|on|at)$/
const asksName = /\b(?:name|title|alias|nickname|called|known as|which one)\b/i

/** Whether an answer of a few words can be no answer at all, by what is asked for and what it is. */
export const isOtherThing = (question: string, thing: Thing): boolean => {
  const noun = askedKind(question)
  const kind =
    needOf(question).want === 'who'
      ? 'who'
      : (noun ?? (asksName.test(question) && !measures.test(question) ? 'name' : null))
  return kind !== null && (never[kind] ?? []).includes(thing)
}
