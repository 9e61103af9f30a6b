import type { Answer } from './answer'
import type { Asked, Kind } from './asked'

/** A string is the name of a structured output or tool, a pattern is looked for in the messages; of a record all must hold. */
export type Matcher =
  string | RegExp | { kind?: Kind; name?: string; model?: string; text?: RegExp } | ((asked: Asked) => boolean)

/** A bare string is a text answer. A function may wait for whatever a spec makes it wait for. */
export type Scripted = string | Answer | ((asked: Asked) => string | Answer | Promise<string | Answer>)

export const matches = (matcher: Matcher, asked: Asked): boolean => {
  if (typeof matcher === 'function') return matcher(asked)
  if (typeof matcher === 'string') return asked.name === matcher
  if (matcher instanceof RegExp) return new RegExp(matcher.source, matcher.flags.replace(/[gy]/g, '')).test(asked.text)
  return (
    (matcher.kind === undefined || matcher.kind === asked.kind) &&
    (matcher.name === undefined || matcher.name === asked.name) &&
    (matcher.model === undefined || matcher.model === asked.model) &&
    (matcher.text === undefined || matches(matcher.text, asked))
  )
}

type Entry = { matcher: Matcher; left: Scripted[] }

export type Script = {
  add(matcher: Matcher, answers: Scripted[]): void
  next(asked: Asked): Promise<Answer>
  clear(): void
}

const usual: Answer = { kind: 'content', content: { kind: 'default' } }

/** The newest entry that matches answers; its last answer stays. */
export const createScript = (): Script => {
  let entries: Entry[] = []
  return {
    add: (matcher, answers) => {
      if (answers.length === 0) throw new Error('a script needs at least one answer')
      entries.unshift({ matcher, left: [...answers] })
    },
    next: async (asked) => {
      const left = entries.find(({ matcher }) => matches(matcher, asked))?.left
      const taken = left && left.length > 1 ? left.shift() : left?.[0]
      const given = typeof taken === 'function' ? await taken(asked) : taken
      return typeof given === 'string' ? { kind: 'content', content: { kind: 'text', text: given } } : (given ?? usual)
    },
    clear: () => {
      entries = []
    },
  }
}
