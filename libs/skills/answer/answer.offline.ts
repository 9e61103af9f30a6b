import { coverage, sentences, subjectWords, withoutCitations, words } from '@plumbline/knowledge/text'
import type { CitedPassage, Evidence } from '@plumbline/contracts'
import type { Answer } from './answer'

type Picked = { text: string; passageId: string; score: number }

const pick = (question: string, evidence: Evidence[]): Picked[] =>
  evidence
    .flatMap((passage) =>
      sentences(passage.text).map((text) => ({ text, passageId: passage.id, score: coverage(subjectWords(question), words(text)) })),
    )
    .filter(({ score }) => score >= 0.5)
    .sort((a, b) => b.score - a.score)

export const offlineAnswer: Answer = ({ question, steps, evidence, maxSentences, keep = [], onDelta }) => {
  const asked = steps.length > 0 ? steps : [{ question, passageIds: evidence.map(({ id }) => id) }]
  const kept = keep.map((text) => ({ text: withoutCitations(text), passageId: evidence[0]?.id ?? '', score: 1 }))
  const picked = asked.flatMap((step) => pick(step.question, evidence.filter(({ id }) => step.passageIds.includes(id))).slice(0, 2))
  const citations: CitedPassage[] = []
  const cite = (passageId: string): string => {
    const known = citations.find((each) => each.passageId === passageId)
    if (known) return `[${known.n}]`
    citations.push({ n: citations.length + 1, passageId })
    return `[${citations.length}]`
  }
  const lines = [...kept, ...picked].slice(0, maxSentences).map(({ text, passageId }) => `${text.replace(/[.!?]$/, '')} ${cite(passageId)}.`)
  const text = lines.length > 0 ? lines.join(' ') : `The documents do not say: ${question}`
  onDelta?.(text)
  return Promise.resolve({ text, citations })
}
