import {
  countIn,
  isSimple,
  longWords,
  partsOf,
  evidenceLines,
  sharedWords,
  wordsOf,
  type PromptContent,
} from './prompt-content'

const mostSteps = 4

const queriesFor = (question: string, count: number): string[] => {
  const words = [...new Set(longWords(question))]
  const turned = Array.from({ length: Math.min(count, words.length) }, (_, n) => [
    ...words.slice(n),
    ...words.slice(0, n),
  ])
  return turned.map((query) => query.join(' '))
}

const lookupsFor = (question: string, lines: string[]): string[] =>
  lines.flatMap((line) => {
    const [, name = '', description = ''] = /^- ([^:]+): (.*)$/.exec(line) ?? []
    return sharedWords(question, description).length > 0 ? [name] : []
  })

export const route = ({ one, all, lines, task }: PromptContent) => {
  const question = one('question')
  const simple = isSimple(question)
  return {
    logic: 'The documents may answer it.',
    to: 'research',
    question,
    queries: simple ? queriesFor(question, countIn(task, 'quer') ?? 0) : [],
    collections: all.filter(({ name }) => /^collection\b/.test(name)).map(({ text }) => text.split('\n')[0] ?? ''),
    lookups: lookupsFor(question, lines('lookups')),
    simple,
    title: null,
    summary: null,
  }
}

/** Returns the question unchanged, as if it were clear without the conversation. */
export const standaloneQuestion = ({ one }: PromptContent) => ({ question: one('question'), summary: null })

export const plan = ({ one, lines, task }: PromptContent) => ({
  logic: 'One step for each part of the question.',
  steps: partsOf(one('question'), countIn(task, 'step') ?? mostSteps).map((question) => ({
    question,
    waitsFor: null,
    queries: [],
    lookups: lookupsFor(question, lines('lookups')),
  })),
})

export const rewriteQuery = ({ one, lines }: PromptContent) => ({
  reason: 'The results do not answer it, so the words come in another order, with a broader one.',
  strategy: 'expand-terms',
  query: [...wordsOf(one('question')).reverse(), 'overview', lines('tried queries').length].join(' '),
})

export const gradeEvidence = ({ one, passages }: PromptContent) => {
  const question = one('question')
  const asked = new Set(longWords(question)).size
  return {
    grades: passages.map(({ n, head, body }) => {
      const shared = sharedWords(question, `${head}\n${body}`)
      const relevant = shared.length > 0
      return {
        passage: n,
        reason: relevant ? `It has ${shared.join(', ')} of the question.` : 'It has no word of the question.',
        relevant,
        level: !relevant ? 'low' : 2 * shared.length >= asked ? 'high' : 'medium',
        confidence: 0.9,
        date: null,
        outdated: false,
        authority: 'medium',
        sensitive: false,
      }
    }),
  }
}

export const refineEvidence = ({ passages }: PromptContent) => ({
  strips: passages.flatMap(({ body }) => Array.from(body.matchAll(/^\((\d+)\) /gm), ([, n]) => Number(n))),
})

export const summarisePart = ({ passages, task }: PromptContent) => ({
  points: passages
    .flatMap((passage) => {
      const first = evidenceLines(passage).find(({ telling }) => telling)
      return first ? [{ text: first.text, passages: [passage.n] }] : []
    })
    .slice(0, countIn(task, 'point')),
  list: false,
})

/** Summarises points. The prompt lists each point with a name such as `point 2, passages 3 4`. */
export const summariseWhole = ({ numbered, task }: PromptContent) => ({
  points: numbered('point')
    .map(({ name, text }) => ({ text, passages: (name.split(', ')[1]?.match(/\d+/g) ?? []).map(Number) }))
    .slice(0, countIn(task, 'sentence')),
  list: false,
})
