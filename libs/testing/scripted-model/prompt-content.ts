import { markdownBlocks } from '@plumbline/knowledge/chunking/blocks'
import { sentences } from '@plumbline/knowledge/text'

type Quote = { name: string; text: string }
/** A passage in a prompt. `head` contains the lines above its text, such as title and section. */
export type ShownPassage = { n: number; head: string; body: string }
export type PromptContent = {
  all: Quote[]
  one: (name: string) => string
  lines: (name: string) => string[]
  /** Returns the quotes of one kind whose names contain a number, such as `claim 1` and `claim 2`. */
  numbered: (kind: string) => (Quote & { n: number })[]
  passages: ShownPassage[]
  /** The part of the prompt that is outside all quotes. */
  task: string
}

type Message = { role: string; content: string }
export const messagesOf = ({ body }: { body: unknown }): Message[] => (body as { messages: Message[] }).messages

const quote = /<<(.+?) ([^\s<>]+)>>\n([\s\S]*?)\n<<end \2>>/g
const headLines = /^((?:\p{Lu}[\p{L} ]*: .*\n)+)\n/u
/** Matches the line with the grade of a passage. This line is not part of the passage. */
const isGrade = (line: string): boolean => line.startsWith('Graded: ')

/** The prompt omits these lines above a passage if they are the same as above the previous passage. */
const lead = ['Document', 'Collection']

type Head = Map<string, string>
const headOf = (head: string, before: Head | undefined): Head => {
  const lines = head.split('\n').filter((line) => line !== '' && !isGrade(line))
  const own = lines.map((line): [string, string] => {
    const at = line.indexOf(': ')
    return [line.slice(0, at), line.slice(at + 2)]
  })
  const known = lead.flatMap((label): [string, string][] => {
    const value = new Map(own).get(label) ?? before?.get(label)
    return value === undefined ? [] : [[label, value]]
  })
  return new Map([...known, ...own])
}

const passagesIn = (quotes: (Quote & { n: number })[]): ShownPassage[] => {
  let before: Head | undefined
  return quotes.map(({ n, text }) => {
    const [whole = '', own = ''] = headLines.exec(text) ?? []
    before = headOf(own, before)
    return { n, head: [...before.values()].join('\n'), body: text.slice(whole.length).replace(/^\n/, '') }
  })
}

const claimLine = /^(\d+, cites [\w ]+): (.*)$/gm
/** Turns each line of the quote `claims` into a quote with a name such as `claim 1, cites 3`. */
const claimsIn = (quotes: Quote[]): Quote[] =>
  quotes
    .filter(({ name }) => name === 'claims')
    .flatMap(({ text }) =>
      Array.from(text.matchAll(claimLine), ([, name = '', said = '']) => ({ name: `claim ${name}`, text: said })),
    )

export const readPrompt = (message: string): PromptContent => {
  const all = Array.from(message.matchAll(quote), ([, name = '', , text = '']) => ({ name, text }))
  const one = (name: string): string => all.find((each) => each.name === name)?.text ?? ''
  const numbered = (kind: string) =>
    [...all, ...claimsIn(all)].flatMap((each) => {
      const n = each.name.startsWith(`${kind} `) ? parseInt(each.name.slice(kind.length + 1), 10) : NaN
      return Number.isNaN(n) ? [] : [{ ...each, n }]
    })
  return {
    all,
    one,
    lines: (name) => one(name).split('\n').filter(Boolean),
    numbered,
    passages: passagesIn(numbered('passage')),
    task: message.replace(quote, '').trim(),
  }
}

/** Returns the user's messages before the model's first answer. Later ones only ask the model to repair its answer. */
export const promptTo = (asked: { body: unknown }): string => {
  const messages = messagesOf(asked)
  const spoke = messages.findIndex(({ role }) => role === 'assistant')
  const before = spoke === -1 ? messages : messages.slice(0, spoke)
  return before
    .filter(({ role }) => role === 'user')
    .map(({ content }) => content)
    .join('\n\n')
}

/** Returns the number before a noun in a text. For example, it returns 3 for `at most 3 sentences` and `sentence`. */
export const countIn = (task: string, thing: string): number | undefined => {
  const found = new RegExp(String.raw`(\d+) (?:\p{L}+ )?${thing}`, 'u').exec(task)?.[1]
  return found === undefined ? undefined : Number(found)
}

const segmenter = new Intl.Segmenter('en', { granularity: 'word' })
const marks = /\s?\[\d+(?:\s*,\s*\d+)*\]/g

export const withoutMarks = (text: string): string => text.replace(marks, '')

export const wordsOf = (text: string): string[] =>
  Array.from(segmenter.segment(withoutMarks(text).normalize('NFKC').toLowerCase()))
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment)

/** Returns the words with four letters or more. Shorter words occur in most texts. */
export const longWords = (text: string): string[] => wordsOf(text).filter((word) => word.length >= 4)

export const sharedWords = (question: string, text: string): string[] => {
  const there = new Set(wordsOf(text))
  return [...new Set(longWords(question))].filter((word) => there.has(word))
}

/** A line of a passage. `words` contains the words to compare, including those of the table header. */
export type EvidenceLine = { text: string; words: string; telling: boolean }

const cellsOf = (line: string): string[] =>
  line
    .replace(/^\s*\||\|\s*$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())

const rowOf = (header: string, line: string): EvidenceLine => {
  const names = cellsOf(header)
  const pairs = cellsOf(line).flatMap((cell, at) => (cell === '' ? [] : [[names[at], cell].filter(Boolean)]))
  return { text: pairs.map((pair) => pair.join(' is ')).join(', '), words: `${header} ${line}`, telling: true }
}

/** Matches a line break within a sentence. The next line must not begin a list item. */
const softBreak = /\n(?!\s*(?:[-*+•>]|\d{1,3}[.)])\s)/g
const listMark = /^\s*(?:[-*+•>]|\d{1,3}[.)])\s+/

export const evidenceLines = ({ body }: ShownPassage): EvidenceLine[] =>
  markdownBlocks(body, false).flatMap((block): EvidenceLine[] => {
    const [first = '', , ...rows] = block.text.split('\n')
    if (block.kind === 'table' && first.includes('|')) return rows.map((row) => rowOf(first, row))
    const told = block.kind === 'prose' ? block.text.replace(softBreak, ' ').split('\n') : [block.text]
    return told
      .flatMap((line) => sentences(line.replace(listMark, '')))
      .map(withoutMarks)
      .map((text) => ({
        text,
        words: text,
        telling: block.kind !== 'heading' && block.kind !== 'code' && !text.endsWith('?'),
      }))
  })

const borders = /;\s+| and /
export const isSimple = (question: string): boolean => !question.includes(' and ') && !question.includes(';')

export const partsOf = (question: string, most: number): string[] => {
  const parts = question
    .split(borders)
    .map((part) => part.trim().replace(/[,;]$/, ''))
    .filter(Boolean)
  return [...parts.slice(0, most - 1), parts.slice(most - 1).join(' and ')].filter(Boolean)
}

export const stepsIn = ({ lines, one }: PromptContent): string[] => {
  const steps = lines('steps').map((line) => line.replace(/^(?:-|\d+\.) /, ''))
  return steps.length > 0 ? steps : [one('question')]
}

export const knownIn = ({ task }: PromptContent): number =>
  Number(/claims? (?:1 to )?(\d+) (?:was|were) found supported before/i.exec(task)?.[1] ?? 0)
