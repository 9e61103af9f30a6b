type Quote = { name: string; text: string }
/** `head`: what the passage says about itself, such as its title and section. */
export type ShownPassage = { n: number; head: string; body: string }
export type Shown = {
  all: Quote[]
  one: (name: string) => string
  lines: (name: string) => string[]
  /** The quotes of one kind by the numbers in their names: `claim 1`, `claim 2`. */
  numbered: (kind: string) => (Quote & { n: number })[]
  passages: ShownPassage[]
  /** What stands outside the quotes. */
  task: string
}

type Message = { role: string; content: string }
export const messagesOf = ({ body }: { body: unknown }): Message[] => (body as { messages: Message[] }).messages

const quote = /<<(.+?) ([^\s<>]+)>>\n([\s\S]*?)\n<<end \2>>/g
const headLines = /^((?:\p{Lu}[\p{L} ]*: .*\n)+)\n/u
/** A grade says nothing of what the passage is about. */
const isGrade = (line: string): boolean => line.startsWith('Graded: ')

const passageOf = ({ n, text }: Quote & { n: number }): ShownPassage => {
  const [whole = '', head = ''] = headLines.exec(text) ?? []
  const told = head.split('\n').filter((line) => line !== '' && !isGrade(line))
  return { n, head: told.map((line) => line.slice(line.indexOf(': ') + 2)).join('\n'), body: text.slice(whole.length) }
}

/** What a prompt shows: its quotes as their code delimits them, and the task around them. */
export const readShown = (message: string): Shown => {
  const all = Array.from(message.matchAll(quote), ([, name = '', , text = '']) => ({ name, text }))
  const one = (name: string): string => all.find((each) => each.name === name)?.text ?? ''
  const numbered = (kind: string) =>
    all.flatMap((each) => {
      const n = each.name.startsWith(`${kind} `) ? parseInt(each.name.slice(kind.length + 1), 10) : NaN
      return Number.isNaN(n) ? [] : [{ ...each, n }]
    })
  return {
    all,
    one,
    lines: (name) => one(name).split('\n').filter(Boolean),
    numbered,
    passages: numbered('passage').map(passageOf),
    task: message.replace(quote, '').trim(),
  }
}

/** The prompt in a request: what the user says up to where the model spoke. What follows is about its own answer. */
export const promptTo = (asked: { body: unknown }): string => {
  const messages = messagesOf(asked)
  const spoke = messages.findIndex(({ role }) => role === 'assistant')
  const before = spoke === -1 ? messages : messages.slice(0, spoke)
  return before
    .filter(({ role }) => role === 'user')
    .map(({ content }) => content)
    .join('\n\n')
}

/** How many of a thing a task allows: 3 of `at most 3 sentences`. */
export const countIn = (task: string, thing: string): number | undefined => {
  const found = new RegExp(String.raw`(\d+) (?:\p{L}+ )?${thing}`, 'u').exec(task)?.[1]
  return found === undefined ? undefined : Number(found)
}
