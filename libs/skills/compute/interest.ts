import type { Working } from '@plumbline/contracts'
import type { Quantity } from '@plumbline/knowledge/text'
import { numbers } from '@plumbline/knowledge/text'
import { asksForInterest } from './asked'
import { frequencies } from './sources'
import type { Input } from './working'
import { workOut } from './working'

const input = (name: string, value: number, unit?: string): Input => ({
  name,
  value,
  passageId: null,
  ...(unit !== undefined && unit !== '' && { unit }),
})

const perShorter =
  /(?:%|per ?cent)\s*(?:interest\s*)?(?:a|per|each|every)\s+(?:day|week|month|quarter)\b|\b(?:monthly|daily|weekly|quarterly)\s+(?:interest\s+)?rate\b/i
const money = new Set(['$', '€', '£'])

/** Compounded how often a year: by the word nearest after `compound`, or yearly. */
const periodsIn = (question: string): { periods: number; said: boolean } => {
  const at = question.search(/\bcompound/i)
  const found = frequencies
    .map(([word, often]) => ({ often, place: word.exec(question.slice(at))?.index ?? -1 }))
    .filter(({ place }) => place >= 0)
  const [first] = found.sort((a, b) => a.place - b.place)
  const before = frequencies.find(([word, often]) => often !== 1 && word.test(question.slice(0, at)))
  return first && (first.often !== 1 || !before)
    ? { periods: first.often, said: true }
    : before
      ? { periods: before[1], said: true }
      : { periods: 1, said: false }
}

type Terms = { principal: Quantity; rate: number; time: Input; span: string }

const termsIn = (question: string): Terms | null => {
  const all = numbers(question).filter(({ unit }) => unit !== 'th')
  const rates = all.filter(({ unit }) => unit === '%')
  const times = all.filter(({ unit }) => unit === 'year' || unit === 'month')
  const amounts = all.filter(
    (quantity) =>
      !rates.includes(quantity) && !times.includes(quantity) && (quantity.unit === '' || money.has(quantity.unit)),
  )
  const [principal] = amounts.sort((a, b) => Number(money.has(b.unit)) - Number(money.has(a.unit)) || b.value - a.value)
  const [rate, other] = rates
  const [time, more] = times
  if (!principal || !rate || other || !time || more || perShorter.test(question)) return null
  const inMonths = time.unit === 'month'
  return {
    principal,
    rate: Number((rate.value / 100).toPrecision(12)),
    time: input(inMonths ? 'months' : 'years', time.value, time.unit),
    span: `${time.value} ${time.unit}${time.value === 1 ? '' : 's'}`,
  }
}

const wantsInterestAlone = (question: string): boolean =>
  /\bhow much (?:compound |simple )?interest\b|\binterest (?:is |was )?(?:earned|paid|due)\b|\bwhat (?:is|are) the (?:total )?(?:compound |simple )?interest\b/i.test(
    question,
  )

const often: Record<number, string> = {
  365: 'daily',
  52: 'weekly',
  12: 'monthly',
  4: 'quarterly',
  2: 'half-yearly',
  1: 'yearly',
}

const compound = (question: string, { principal, rate, time, span }: Terms): Working | null => {
  const { periods, said } = periodsIn(question)
  const years = time.name === 'months' ? 'months / 12' : 'years'
  const yearly = periods === 1
  const grown = yearly
    ? `principal × (1 + rate)^${years === 'years' ? years : `(${years})`}`
    : `principal × (1 + rate / periods)^(periods × ${years})`
  const inputs = [
    input('principal', principal.value, principal.unit),
    input('rate', rate),
    ...(yearly ? [] : [input('periods', periods)]),
    time,
  ]
  const alone = wantsInterestAlone(question)
  const what = `${alone ? 'Interest' : 'Amount'} after ${span}, compounded ${often[periods] ?? ''}${said ? '' : ' as no other period is given'}`
  return workOut(what, alone ? `${grown} − principal` : grown, inputs, principal.unit)
}

const simple = (question: string, { principal, rate, time, span }: Terms): Working | null => {
  const share = `rate × ${time.name === 'months' ? 'months / 12' : 'years'}`
  const alone = !/\b(?:amount|worth|become|balance|grow|repay|altogether|in total)\b/i.test(question)
  const inputs = [input('principal', principal.value, principal.unit), input('rate', rate), time]
  return workOut(
    `${alone ? 'Simple interest' : 'Amount with simple interest'} after ${span}`,
    alone ? `principal × ${share}` : `principal × (1 + ${share})`,
    inputs,
    principal.unit,
  )
}

/** What an amount becomes at a yearly rate: everything it takes must stand in the question. */
export const interest = (question: string): Working | null => {
  const kind = asksForInterest(question)
  const terms = kind === null ? null : termsIn(question)
  return terms === null ? null : kind === 'compound' ? compound(question, terms) : simple(question, terms)
}
