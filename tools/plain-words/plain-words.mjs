/** Matches a sentence of four or more words that begins with a relative clause, such as "Who reads this must know". */
const opening =
  /^(What|Who|Whoever|Whatever|Whichever|Wherever|Whom|Whose|Where|Which)\b(?! (?:to|if)\b)(?=(?: \S+){3})(?!.*\?)/
const be = '(?:is|are|was|were|be|been|being)'

const verbs = [
  [/\b(?:stands?|stood)\b(?! (?:for|out|up|down|by|to|alone|still)\b)(?!-)/i, 'is, is stored, remains, is grounded'],
  [new RegExp(`\\b${be} (?:told|said)\\b`, 'i'), 'is reported, returns, receives'],
  [/\b(?:goes|go|gone|went) on\b(?! to\b)/i, 'continues, retries'],
  [/\b(?:go|goes|going|gone|went|lets?) (?:it |them )?out\b/i, 'is released, is sent'],
  [/\b(?:go|goes|going|gone|went|do|does|done|did) without\b/i, 'skips, bypasses'],
  [/\b(?:comes?|came|coming) again\b/i, 'is retried, repeats'],
  [/\b(?:be)?(?:comes?|came) of\b(?! age\b)/i, 'results from, happens to'],
  [/\bheld against\b/i, 'compared with, validated against'],
  [new RegExp(`\\b${be} looked (?:at|after|for)\\b`, 'i'), 'is read, is checked, is searched for'],
  [/\bcounts? no(?:t any)? more\b|\bnot count any more\b/i, 'is no longer valid'],
  [/\bmakes? do with\b/i, 'uses'],
  [/\banew\b/i, 'again'],
]

const sentencesOf = (text) => text.split(/(?<=[.!?:]["”’)]*)\s+(?=["“(`]*[A-Z])/)

export const faultIn = (comment) => {
  for (const sentence of sentencesOf(comment.replaceAll(/`[^`]*`/g, 'code'))) {
    const [word] = opening.exec(sentence) ?? []
    if (word) return `opens with "${word}": put the subject first`
    for (const [pattern, instead] of verbs) {
      const [found] = pattern.exec(sentence) ?? []
      if (found) return `"${found}": name what happens (${instead})`
    }
  }
  return null
}

const marks = {
  lua: { line: /^\s*--(?!\[\[)\s?(.*)$/, start: /^\s*--\[\[\s*(.*)$/ },
  other: { line: /^\s*\/\/+\s?(.*)$/, start: /^\s*\/\*+\s*(.*)$/ },
}
const withoutEnd = (text) => text.replace(/\s*(?:\*\/|\]\])\s*$/, '')

export const commentsIn = (source, isLua = false) => {
  const { line, start } = isLua ? marks.lua : marks.other
  const comments = []
  let open = null
  let inBlock = false
  for (const [index, text] of source.split('\n').entries()) {
    if (inBlock) {
      open.text += ` ${withoutEnd(text)
        .replace(/^\s*\* ?/, '')
        .trim()}`
      inBlock = !/\*\/|\]\]/.test(text)
      continue
    }
    const [, begun] = start.exec(text) ?? []
    const [, said] = line.exec(text) ?? []
    if (begun !== undefined) {
      open = { line: index + 1, text: withoutEnd(begun), isBlock: true }
      comments.push(open)
      inBlock = !/\*\/|\]\]/.test(text)
    } else if (said !== undefined && open && !open.isBlock) open.text += ` ${said}`
    else if (said !== undefined) comments.push((open = { line: index + 1, text: said, isBlock: false }))
    else open = null
  }
  return comments.map(({ line: at, text }) => ({ line: at, text: text.trim() }))
}

/** Returns the faults of all comments, and the entries of the allow list that are not needed any more. */
export const check = (files, allowed) => {
  const used = new Set()
  const faults = files.flatMap(({ path, source }) => {
    const found = commentsIn(source, path.endsWith('.lua')).flatMap(({ line: at, text }) => {
      const fault = faultIn(text)
      return fault === null ? [] : [`${path}:${at}  ${fault}\n    ${text.slice(0, 110)}`]
    })
    const entry = allowed.find((one) => path === one || path.startsWith(`${one}/`))
    if (found.length === 0 || entry === undefined) return found
    used.add(entry)
    return []
  })
  return { faults, unused: allowed.filter((one) => !used.has(one)) }
}
