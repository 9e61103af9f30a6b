import { askWords, stem, stopWords } from '../text'

const set = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))
/** Nouns that stand beside nearly any measure or place: left out or put in, the thing asked for is the same. */
const generic = set(`
  value figure number amount point data metric measure statistic result percentage percent share rate ratio level unit center centre region site
  location city country area facility campus place entry row column table cell datum annual yearly year current type kind change changed
  difference increase decrease come look appear stand equal amounted long far old big tall high large
`)
/** Verbs of giving a figure: they matter only where a column is headed by one. */
export const telling = new Set(
  [...set('published given recorded measured provided announced use used achieve achieved see saw post posted')].map(
    stem,
  ),
)
export const genericStems = new Set([...generic].map(stem))
/** Words that make another measure of the same noun. */
export const modifiers = new Set(
  [
    ...set(`average mean median total sum cumulative combined aggregate overall regional national global worldwide fleet fleetwide industry minimum
  maximum peak target planned estimated projected forecast expected monthly quarterly weekly daily primary secondary backup former adjusted net gross`),
  ].map(stem),
)
/** What is said of the figure, not of what it measures. */
export const ofFigures = new Set([...set('exact exactly actual precise')].map(stem))
export const prepositions = set('for in at of from')
const verbs = set(
  'compare contrast calculate compute determine check quote extract collect obtain look summarize pull lookup',
)
export const determiners = set('the a an me us all any its both each every how what which whether')
export const reporting = /^(?:report|publish|disclos|stat|giv|gave|quot|list|record|announc|provid|claim|said|say)/

export const fillers = set('of the in at for a an de la')

export const moving =
  /^(?:ris|rose|fall|fell|increas|decreas|improv|declin|drop|gr[eo]w|stood|stand|stay|remain|reach|amount|climb|worsen|jump|shr[au]nk|doubl|halv|averag|exceed|equal|hit|dip|slip|total|differ)/

/** Verbs and nouns of a change, which takes two cells to tell. */
export const changing =
  /^(?:chang|ris|rose|fall|fell|increas|decreas|improv|declin|drop|gr[eo]w|climb|worsen|jump|shr[au]nk|doubl|halv|gain|los[et])/

/** Words that neither name nor measure anything. */
export const isSmall = (token: string): boolean => stopWords.has(token) || askWords.has(token) || verbs.has(token)
