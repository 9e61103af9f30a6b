import { years } from '@plumbline/knowledge/text'

const bare = (text: string): string => text.trim().replace(/[?.!,;\s]+$/, '')
const yearsOnly = (text: string): boolean =>
  years(text).length > 0 && /^(?:the\s+)?(?:(?:year|in|of)\s+)*\d{4}$/.test(bare(text))
const be = (thing: string): string =>
  /\b\p{Ll}+[^s\s]s$/u.test(bare(thing).split(/\s+(?:of|for|in|at)\s/)[0] ?? '') ? 'are' : 'is'
const lead = /^(?:the|a|an)\s+/i
const join = String.raw`\s*,?\s+(?:and|with|to|vs\.?|versus|against|or)\s+`
const timed = /\s+(?:in|for|during|since|between|from)\s+(?:the\s+)?(?:year\s+)?\d{4}(?:\s*(?:,|and|to|-|–)\s*\d{4})*$/i

const whatIs = (thing: string): string => {
  const bareNoun = /^[\p{Ll}\d\p{Lu}][^'’]*?\s(?:of|for|in|at)\s/u.test(thing) && !lead.test(thing)
  return `What ${be(thing)} ${bareNoun ? 'the ' : ''}${bare(thing)}?`
}

/** `the standard and the adaptive policy`: a single describing word takes the noun of its neighbour. */
const withNoun = (short: string, long: string): string => {
  const words = short.replace(lead, '').split(/\s+/)
  const others = long.replace(lead, '').split(/\s+/)
  const noun = others.at(-1)
  const lacks =
    words.length === 1 &&
    others.length > 1 &&
    noun &&
    !/^\p{Lu}/u.test(short.replace(lead, '')) &&
    !/^\p{Lu}/u.test(long.replace(lead, ''))
  return lacks ? `${short} ${noun}` : short
}

/** `an average` alone says not of what: it takes the last word of its neighbour. */
const ofSame = (thing: string, other: string): string => {
  const metric = other.split(/\s+/).at(-1) ?? ''
  return /\b(?:average|mean|median|total|overall)$/i.test(thing) &&
    !/\b(?:average|mean|median|total|overall)$/i.test(metric)
    ? `${thing} ${metric}`
    : thing
}

const pair = (text: string): [string, string] | null => {
  const all = new RegExp(`^(?:both\\s+)?(.+?)${join}(.+)$`, 'i').exec(bare(text))
  return all?.[1] && all[2] ? [all[1], all[2]] : null
}

/** What is compared of both: before them (`the CFE of A and B`) or after (`A and B in terms of CFE`). */
const sides = (text: string): string[] | null => {
  const time = timed.exec(bare(text))?.[0] ?? ''
  const body = bare(text).slice(0, bare(text).length - time.length)
  const told = /^(.+?)\s*,?\s+(?:in terms of|with respect to|regarding|by|on)\s+(?:their\s+|the\s+)?(.+)$/i.exec(body)
  const [things, measure] = told?.[1] && told[2] ? [told[1], told[2]] : [body, '']
  const two = pair(things)
  if (!two) return null
  const [a, b] = two
  if (yearsOnly(a) || yearsOnly(b)) return null
  if (measure) return [a, b].map((thing) => `What is the ${measure} of ${thing}${time}?`)
  const shared = /^(.+)\s(of|for|in|at|across|between)\s+(.+)$/i.exec(a)
  if (!shared?.[1] || !shared[2] || !shared[3]) {
    const left = withNoun(a, b)
    return [left, ofSame(b, a)].map((thing) => whatIs(`${thing}${time}`))
  }
  if (yearsOnly(b) || yearsOnly(shared[3])) return null
  const where = /^(?:across|between)$/i.test(shared[2]) ? 'of' : shared[2]
  const other = /\s(?:of|for|in|at)\s/.test(b)
    ? b.replace(/^(?:that|those|the one)(?=\s)/i, shared[1])
    : `${shared[1]} ${where} ${b.replace(/^(?:of|for|in|at)\s+/i, '')}`
  return [`${shared[1]} ${where} ${shared[3]}`, other].map((thing) => whatIs(`${thing}${time}`))
}

const verbs =
  'born|founded|started|released|established|formed|built|published|opened|launched|created|completed|introduced|made|invented|discovered|elected'
const measures: Record<string, string> = {
  larger: 'size',
  bigger: 'size',
  smaller: 'size',
  higher: 'height',
  taller: 'height',
  lower: 'height',
  longer: 'length',
  shorter: 'length',
  deeper: 'depth',
  heavier: 'mass',
  lighter: 'mass',
  faster: 'speed',
  slower: 'speed',
  cheaper: 'price',
  warmer: 'temperature',
  colder: 'temperature',
  hotter: 'temperature',
  wider: 'width',
}

/** `Which is larger, A or B?`: the same plain question about each. */
const choice = (question: string): string[] | null => {
  const asked = /^(?:between\s+(.+?)\s+and\s+(.+?),\s*)?(?:which|who|what)\b\s*(.*)$/i.exec(bare(question))
  if (!asked?.[3]) return null
  const tail =
    /^(.*?)(?:,|:|\s-)?\s+(?:between\s+)?((?:the\s+)?\p{Lu}[^,]*?|[^,]*(?<=,\s)[^,]*?)\s*,?\s+or\s+(.+)$/u.exec(
      asked[3],
    )
  const [core, a, b] =
    asked[1] && asked[2] ? [asked[3], asked[1], asked[2]] : [tail?.[1] ?? '', tail?.[2] ?? '', tail?.[3] ?? '']
  if (!core || !a || !b) return null
  const things = [bare(a), bare(b)]
  const done = new RegExp(`\\b(${verbs})\\b`, 'i').exec(core)?.[1]
  if (done && /\b(?:first|last|earlier|later|before|after|more recently|most recently)\b/i.test(core))
    return things.map((thing) => `When was ${thing} ${done}?`)
  const than = ['older', 'younger', ...Object.keys(measures)].find((word) =>
    new RegExp(`\\b${word}\\b`, 'i').test(core),
  )
  const measured = than && new RegExp(`\\b${than}\\s+([\\p{L}\\d][^,?]*)`, 'iu').exec(core)?.[1]
  if (measured)
    return things.map(
      (thing) => `What is the ${measured.replace(timed, '')} of ${thing}${timed.exec(measured)?.[0] ?? ''}?`,
    )
  if (than)
    return things.map((thing) =>
      measures[than] ? `What is the ${measures[than]} of ${thing}?` : `How old is ${thing}?`,
    )
  const count = /^(?:\S+\s+)?(?:has|have|had)\s+(?:the\s+)?(?:more|most|fewer|fewest)\s+(.+)$/i.exec(core)?.[1]
  if (count) return things.map((thing) => `How many ${count} does ${thing} have?`)
  const more = /^(?:\S+\s+)?(is|was|are|were)\s+(?:the\s+)?(?:more|most|less|least)\s+(\S+)(.*)$/i.exec(core)
  return more ? things.map((thing) => `How ${more[2] ?? ''} ${more[1] ?? 'is'} ${thing}${more[3] ?? ''}?`) : null
}

/** `Are A and B both P?`, `Do A and B have the same N?` */
const both = (question: string): string[] | null => {
  const text = bare(question)
  const same =
    /^(?:[Aa]re|[Ww]ere|[Dd]o|[Dd]id|[Hh]ave)\s+(?:both\s+)?(.+?)\s+and\s+(the\s+\S+|.+?)(?:\s+\p{Ll}[\p{L}-]*)*?\s+the same\s+(.+)$/u.exec(
      text,
    )
  if (same?.[1] && same[2] && same[3])
    return [same[1], same[2]].map((thing) => `What is the ${bare(same[3] ?? '')} of ${thing}?`)
  const alike = /^(are|were)\s+(?:both\s+)?(.+?)\s+and\s+(.+?)\s+both\s+(.+)$/i.exec(text)
  if (alike?.[2] && alike[3])
    return [alike[2], alike[3]].map((thing) => `What ${/^were$/i.test(alike[1] ?? '') ? 'was' : 'is'} ${thing}?`)
  return null
}

const asked: [RegExp, number][] = [
  [/^(?:please\s+)?(?:compare|contrast)\s+(?:and contrast\s+)?(.+)$/i, 1],
  [/\bhow\s+(?:do|does|did|is|are)\s+(.+?\s+(?:and|from)\s+.+?)\s+(?:differ|different|compare)\b/i, 1],
]

/** The questions whose answers, side by side, are the comparison; null when nothing is compared or only years are. */
export const compared = (question: string): string[] | null => {
  const text = bare(question)
  for (const [pattern, group] of asked) {
    const found = pattern.exec(text)?.[group]
    if (found) return sides(found)
  }
  const how =
    /^how\s+(?:do|does|did)\s+(.+?)\s+(?:compare|differ)\s+(?:with|to|from|against)\s+(.+?)(\s+in terms of .+|\s+in\s+\d{4})?$/i.exec(
      text,
    )
  if (how?.[1] && how[2]) return sides(`${how[1]} and ${how[2]}${how[3] ?? ''}`)
  const gap = /\bdifferences?\s+(?:in\s+(?:the\s+)?(.+?)\s+)?between\s+(.+)$/i.exec(text)
  if (gap?.[2]) {
    const time = timed.exec(gap[2])?.[0] ?? ''
    const things = gap[2].slice(0, gap[2].length - time.length)
    return sides(gap[1] ? `${things} in terms of ${gap[1]}${time}` : `${things}${time}`)
  }
  if (/\s(?:vs\.?|versus)\s/i.test(text)) return sides(text.replace(/^(?:what is|what are|how about)\s+/i, ''))
  return choice(question) ?? both(question)
}
