import type { Claim, Evidence } from '@plumbline/contracts'
import { passageQuote, questionQuote } from '../asking/passages'
import type { Prompt } from '../asking/prompt'
import type { Quote } from '../asking/quoting'
import { workingsQuote } from '../asking/workings'
import type { Answer } from './answer'

type Input = Parameters<Answer>[0]

const graded = (passage: Evidence, n: number): Quote => {
  const { grade } = passage
  const quote = passageQuote(passage, n)
  if (!grade) return quote
  const told = [
    `relevance ${grade.level}`,
    ...(grade.authority ? [`authority ${grade.authority}`] : []),
    ...(grade.date ? [`of ${grade.date}`] : []),
    ...(grade.outdated ? ['outdated'] : []),
  ]
  return { ...quote, text: `Graded: ${told.join(', ')}\n${quote.text}` }
}

const stepLine = ({ question, passageIds }: Input['steps'][number], evidence: Evidence[]): string => {
  const numbers = evidence.flatMap(({ id }, at) => (passageIds.includes(id) ? [at + 1] : []))
  return `- ${question}${numbers.length > 0 ? ` (passages ${numbers.join(', ')})` : ' (no passages)'}`
}
const avoidLine = ({ text, reason }: Claim): string => `- ${text} (${reason})`
const some = (name: string, lines: readonly string[] = []): Quote[] =>
  lines.length > 0 ? [{ name, text: lines.join('\n') }] : []

/** `evidence` in the order in which its passages are numbered. */
export const answerPrompt: Prompt<Input> = {
  name: 'answer',
  version: 1,
  system: `You answer a question from numbered passages, and from nothing else. Every sentence is checked afterwards against the passages it
cites, and an answer with a sentence that does not stand is held back.

- Every sentence ends with the numbers of the passages that carry it, before its full stop: Oslo had 12 berths in 2020 [2]. A sentence that
  two passages carry together cites both, as [1][3]. A sentence without a citation cannot be checked, so it does not stand.
- State figures, names, dates and units exactly as the passages do, of exactly the thing and the time that is asked for. Calculate nothing
  yourself: figures that were worked out are given as workings, with their formula; state them as they are, with the formula, and cite the
  passages they were made from. One that was made from the question alone needs no citation.
- Before you answer: if the question takes something for granted that the passages deny, say first what they say instead. If passages
  contradict each other, give both sides in one sentence, each with its citation; say so where one is newer or of higher authority.
- What the passages do not tell, say plainly, once, as "… is not reported in the documents", and cite the passage where one would look for it. Never
  fill a gap with a neighbouring row, another year, a guess or your own knowledge.
- Answer every part of the question. No introduction, no summary, no advice. Write plain sentences, without lists, headings or other marks,
  in the language of the question.

Passages come best first. A "beginning" already stands: write only what comes after it, and do not say it again. "Did not stand" lists
sentences of an earlier draft that failed the check: do not state them again unless a passage carries them. "Guidance" is what the reviewer of
an earlier draft asks for: follow it as far as the passages carry it.`,
  quotes: ({ question, steps, evidence, keep, avoid = [], guidance, workings = [] }) => [
    ...evidence.map((passage, at) => graded(passage, at + 1)),
    ...workingsQuote(workings, evidence),
    ...some('did not stand', avoid.map(avoidLine)),
    ...some('guidance', guidance === undefined ? [] : [guidance]),
    ...(steps.length > 1
      ? some(
          'steps',
          steps.map((step) => stepLine(step, evidence)),
        )
      : []),
    ...some('beginning', keep),
    questionQuote(question),
  ],
  task: ({ maxSentences, keep = [] }) => {
    const room = Math.max(1, maxSentences - keep.length)
    return `Answer the question in at most ${room} ${room === 1 ? 'sentence' : 'sentences'}.`
  },
}
