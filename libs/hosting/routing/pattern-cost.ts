export const longestQuestion = 4_000

/** The cost of matching a pattern. `ways`: the number of possible matches. `steps`: the steps to try all of them. */
type Cost = { ways: number; steps: number }
type Rest = { text: string; at: number }

const group = /\((?:\?(?:<?[=!]|<[^>]+>|[ims]*(?:-[ims]*)?:))?/y
const atom =
  /\[(?:\\.|[^\]\\])*\]|\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|k<[^>]*>|[1-9]\d*|.)|[^()|]/isuy
const quantifier = /(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/y

const take = (what: RegExp, rest: Rest): RegExpExecArray | null => {
  what.lastIndex = rest.at
  const found = what.exec(rest.text)
  if (found) rest.at = what.lastIndex
  return found
}

const timesOf = ([, sign, least, comma, most]: RegExpExecArray): [number, number] => {
  if (sign !== undefined) return [sign === '+' ? 1 : 0, sign === '?' ? 1 : longestQuestion]
  const from = Number(least)
  return [from, comma === undefined ? from : Math.max(from, Number(most || longestQuestion))]
}

/** Returns the cost of a repeated part. If it can match in several ways, the number of ways grows exponentially. */
const repeated = ({ ways, steps }: Cost, [least, most]: [number, number]): Cost => ({
  ways: (most - least + 1) * ways ** most,
  steps: most * steps * ways ** most,
})

const partOf = (rest: Rest): Cost => {
  if (!take(group, rest)) {
    const isReference = /^\\[k1-9]/.test(take(atom, rest)?.[0] ?? '')
    return { ways: 1, steps: isReference ? Infinity : 1 }
  }
  const inner = choiceOf(rest)
  rest.at += 1
  return { ...inner, steps: inner.steps + 1 }
}

const sequenceOf = (rest: Rest): Cost => {
  const all: Cost = { ways: 1, steps: 0 }
  while (rest.at < rest.text.length && !/[|)]/.test(rest.text.charAt(rest.at))) {
    const part = partOf(rest)
    const times = take(quantifier, rest)
    const { ways, steps } = times ? repeated(part, timesOf(times)) : part
    all.steps += all.ways * steps
    all.ways *= ways
  }
  return all
}

const choiceOf = (rest: Rest): Cost => {
  const all = sequenceOf(rest)
  while (rest.text.charAt(rest.at) === '|') {
    rest.at += 1
    const { ways, steps } = sequenceOf(rest)
    all.ways += ways
    all.steps += steps + 1
  }
  return all
}

export const patternCost = (pattern: string): number => {
  const { steps } = choiceOf({ text: pattern, at: 0 })
  return Number.isNaN(steps) ? Infinity : steps
}
