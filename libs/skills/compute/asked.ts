import { unitOf } from '@plumbline/knowledge/arithmetic'

export type Operation =
  'total' | 'average' | 'difference' | 'change' | 'percent-change' | 'percent-of' | 'share' | 'ratio'

/** `Percentage points` are a difference of percentages. */
const percent = String.raw`(?:percent(?:age)?\b|per cent\b|%)(?!\s+points?\b)`
const moves = String.raw`(?:chang|increas|decreas|grow|grew|ris[ei]|rose|fall|fell|drop|declin|improv|reduc|higher|lower|more|less|larger|smaller|greater|fewer)\w*`
const than = String.raw`(?:more|less|higher|lower|larger|smaller|greater|fewer|longer|shorter|older|heavier|bigger|taller|faster|slower|cheaper|dearer)`

/** The first that fits counts: a percentage change is also a change. */
const operations: [Operation, RegExp][] = [
  ['percent-of', new RegExp(String.raw`\d\s*${percent}\s+of\b`, 'i')],
  [
    'percent-change',
    new RegExp(
      String.raw`\b(?:percent(?:age)?|per cent|relative)\s+(?:change|increase|decrease|growth|rise|drop|decline|reduction|difference)\b|\b(?:what|which|how many|how much)\s+(?:in\s+)?${percent}.*\b${moves}|\b${moves}.*\b(?:in|as a)\s+(?:percent|percentage|per cent)\b|%\s*(?:change|increase|decrease|growth)`,
      'i',
    ),
  ],
  [
    'share',
    new RegExp(
      String.raw`\b(?:what|which)\s+(?:${percent}|share|fraction|proportion)\s+(?:of\b.*\b(?:is|are|was|were)\b|is\b)|\bas an?\s+(?:percentage|share|fraction|proportion)\s+of\b|\bis\s+what\s+${percent}\s+of\b`,
      'i',
    ),
  ],
  ['ratio', /\bratio\b|\bhow many times\b/i],
  ['difference', /\bhow many percentage points?\b/i],
  [
    'change',
    /\b(?:by how much|how much)\b.*\b(?:change[ds]?|increas\w*|decreas\w*|grow|grew|grown|rise[ns]?|rose|fall|fell|fallen|drop\w*|declin\w*)\b.*\bfrom\b/i,
  ],
  [
    'difference',
    new RegExp(String.raw`\bdifferences?\b|\bhow (?:much|many)\s+(?:\w+\s+)?${than}\b|\bby how much\b`, 'i'),
  ],
  ['average', /\baverage\b|\b(?:the|an?|arithmetic)\s+mean\b|\bmean\s+of\b/i],
  ['total', /\b(?:total|sum|combined|altogether|add(?:ed)? up|added together|in all)\b|\btogether\b/i],
]

export const operationIn = (question: string): Operation | null =>
  operations.find(([, pattern]) => pattern.test(question))?.[0] ?? null

const phrase = String.raw`(?:(?:square|cubic|degrees?|nautical|fluid|short|metric)\s+)?[°µ]?[\p{L}][\p{L}²³]*(?:\/\p{L}+)?\d?`
const number = String.raw`(?<value>[-−]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|an?|one)`
const conversions = [
  new RegExp(
    String.raw`${number}\s*(?<from>°?\s?${phrase})\s+(?:is|are|be\s+)?\s*(?:in|to|into|as)\s+(?<to>${phrase})(?![\p{L}\p{N}])`,
    'iu',
  ),
  new RegExp(
    String.raw`\bhow many\s+(?<to>${phrase})\s+(?:are|is|make|make up|do|does)?\s*(?:there\s+)?(?:in\s+)?${number}\s*(?<from>°?\s?${phrase})(?=\s*(?:[?.!,;]|$|\s(?:and|has|have|long)\b))`,
    'iu',
  ),
]

export type Conversion = { value: number; from: string; to: string }

const valueOf = (written: string): number =>
  /^(?:an?|one)$/i.test(written) ? 1 : Number(written.replaceAll(',', '').replace('−', '-'))

/** `5 miles in km`, `how many minutes are in 3 hours`: between two units that measure the same. */
export const conversionIn = (question: string): Conversion | null => {
  for (const pattern of conversions) {
    const { value = '', from = '', to = '' } = pattern.exec(question)?.groups ?? {}
    const [source, target] = [unitOf(from), unitOf(to)]
    if (source !== undefined && target !== undefined && source !== target)
      return { value: valueOf(value), from: source, to: target }
  }
  return null
}

/** `… in minutes?`: the unit a figure of the documents is wanted in. */
export const targetUnit = (question: string): string | null => {
  const word = new RegExp(String.raw`\bin\s+(${phrase})\s*[?.!]*$`, 'iu').exec(question)?.[1] ?? ''
  return word.length > 1 ? (unitOf(word) ?? null) : null
}

const bare =
  /^(?:please\s+)?(?:what(?:'s|’s| is)|calculate|compute|solve|evaluate|work out|how much is)?\s*(?<sum>[-−\d(][\d\s.,()%+*/x×÷^·−-]*\d\)*%?\)*)\s*[=?.!]*$/i

/** A sum that the question itself spells out, and nothing else. */
export const sumIn = (question: string): string | null => {
  const sum =
    bare
      .exec(question.trim())
      ?.groups?.['sum']?.replace(/(?<=[\d)%\s])x(?=[\s\d(])/gi, '×')
      .trim() ?? ''
  return /[\d)%]\s*[+*/×÷^·−-]\s*[-−\d(]/.test(sum) ? sum : null
}

export const asksForInterest = (question: string): 'compound' | 'simple' | null => {
  if (!/%|\bper ?cent\b/i.test(question)) return null
  if (/\bcompound(?:ed|ing|s)?\b/i.test(question)) return 'compound'
  return /\bsimple interest\b/i.test(question) ? 'simple' : null
}

/** Cheap, and rather once too often than too seldom: what is no arithmetic after all finds no inputs. */
export const asksForArithmetic = (question: string): boolean =>
  asksForInterest(question) !== null ||
  sumIn(question) !== null ||
  conversionIn(question) !== null ||
  targetUnit(question) !== null ||
  operationIn(question) !== null
