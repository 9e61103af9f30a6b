import type { Claim, Evidence } from '@plumbline/contracts'
import { passageQuote, questionQuote } from '../asking/passages'
import type { Prompt } from '../asking/prompt'
import type { Quote } from '../asking/quoting'

type Input = { question: string; steps: string[]; claims: Claim[]; evidence: Evidence[] }

const sample = 500
const inShort = (passage: Evidence, at: number): Quote => {
  const text = passage.text.length <= sample ? passage.text : `${passage.text.slice(0, sample)} …`
  return { ...passageQuote({ ...passage, text }, at + 1), name: `passage ${at + 1} in short` }
}

export const rateUsefulnessPrompt: Prompt<Input> = {
  name: 'rate-usefulness',
  version: 1,
  system: `You judge how useful an answer is to the one who asked. Whether its sentences are true was checked already, and the verdict stands
with each: a sentence that is not supported is worth nothing here.

parts: every single thing the question asks for, in its order, at least one for each step. For each:
  answered: a supported sentence gives exactly what is asked, of the right thing and time;
  not-in-documents: a supported sentence says that the documents do not report it;
  missed: neither.
  claims: the numbers of the sentences that make it so; none for missed.
usefulness: 5, every part is answered, in the form that was asked for; 4, all that the documents hold is answered and the rest is named as not reported;
  3, the greater part is answered; 2, little is answered, or all of it is said to be unreported; 1, nothing that was asked is answered.
confidence: from 0 to 1, how sure you are.
tooBroad: whether the question is so open that very many different things in the documents would answer it, and the asker has to choose
  before any answer can serve. A question that names its thing or its time is not too broad.`,
  quotes: ({ question, steps, claims, evidence }) => [
    ...evidence.map(inShort),
    ...claims.map(({ text, verdict }, at) => ({ name: `sentence ${at + 1}, ${verdict}`, text })),
    ...(steps.length > 1 ? [{ name: 'steps', text: steps.map((step) => `- ${step}`).join('\n') }] : []),
    questionQuote(question),
  ],
  task: ({ claims }) => `Rate the answer; it has ${claims.length} ${claims.length === 1 ? 'sentence' : 'sentences'}.`,
}
