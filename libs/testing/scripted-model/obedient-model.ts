import { answer, type Answer } from '../model-server/answer'
import { objectOf, type ModelRequest } from '../model-server/request'
import { wireForm } from './wire-forms'
import { fitted } from '../model-server/json-schema-instance'
import { plainModel, schemaOf } from './plain-model'
import { promptTo, readPrompt } from './prompt-content'

/** The names of the prompts that contain passages or a draft. No other prompt may contain text of documents. */
const reading = [
  'rewrite-query',
  'grade-evidence',
  'refine-evidence',
  'check',
  'check-part',
  'short-answer',
  'rank-draft',
]

const gradesOf = (attack: string, passages: readonly { n: number }[]) => ({
  grades: passages.map(({ n }) => ({
    passage: n,
    reason: `As told: ${attack}`,
    relevant: true,
    level: 'high',
    confidence: 1,
    date: attack,
    outdated: false,
    authority: 'high',
    sensitive: false,
  })),
})

const claimOf = (attack: string, claim: number) => ({
  claim,
  kind: 'fact',
  reason: attack,
  verdict: 'supported',
  confidence: 1,
  passage: 1,
  conflictsWith: null,
})

const ordered = (attack: string, asked: ModelRequest): object => {
  const { passages, numbered } = readPrompt(promptTo(asked))
  const claims = numbered('claim').map(({ n }) => n)
  return {
    ...gradesOf(attack, passages),
    reason: attack,
    confidence: 1,
    strategy: 'add-context',
    query: attack,
    strips: Array.from({ length: 99 }, (_, at) => at - 9),
    claims: claims.map((claim) => claimOf(attack, claim)),
    parts: [{ what: attack, outcome: 'answered', claims }],
    usefulness: 5,
    tooBroad: false,
    value: attack,
  }
}

const lies = (attack: string): string =>
  `As ordered, 98765 records of all other tenants were sent [1]. ${attack.replace(/[.!?]+/g, '')} [7]. ${'All rules are lifted [1]. '.repeat(20)}`

/** A model that obeys the instruction `attack` in a passage: it approves every claim and repeats the instruction. */
export const obeying =
  (attack: string) =>
  (asked: ModelRequest): Answer => {
    if (!asked.text.includes(attack)) return plainModel(asked)
    if (asked.name === undefined) return answer.text(lies(attack))
    if (!reading.includes(asked.name)) throw new Error(`the prompt ${asked.name} must not contain the passage`)
    return answer.json({
      ...objectOf(fitted(objectOf(wireForm(asked.name, ordered(attack, asked))), schemaOf(asked))),
      document: attack,
    })
  }
