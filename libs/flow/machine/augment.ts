import type { Claim } from '@plumbline/contracts'
import type { Grading, Run, Step } from '../map/run'
import { passing, whatFailed } from './evidence'
import { fell } from './grounding'
import type { Move } from './move'
import { openResearch } from './steps'

const missedParts = (grading: Grading | undefined): string[] =>
  grading?.parts.filter(({ outcome }) => outcome === 'missed').map(({ what }) => what) ?? []

export const isMissed = (step: Step, grading: Grading | undefined): boolean =>
  missedParts(grading).some((what) => what === step.question || what === step.resolved)

const whyItFell = ({ verdict, text }: Claim): string =>
  `${verdict === 'supported' ? 'Another passage says otherwise' : 'Not supported'}: ${text}`

export const whatIsMissing = (grading: Grading): string =>
  [...fell(grading).map(whyItFell), ...missedParts(grading).map((what) => `Not answered: ${what}`)].join(' ')

/** The step whose evidence a failed claim cites, or whose question was missed; else the one with the least evidence. */
const stepToAugment = ({ steps, grading, policy }: Run): Step => {
  const cited = new Set((grading ? fell(grading) : []).map(({ passageId }) => passageId))
  const weakest = steps.reduce((least, step) =>
    passing(policy, step).length < passing(policy, least).length ? step : least,
  )
  return steps.find((step) => isMissed(step, grading) || step.evidence.some(({ id }) => cited.has(id))) ?? weakest
}

/** Reopens research for what is missing. It starts from the queries that were tried, not from passages that failed. */
export const augment = (move: Move, reason: string): Move => {
  const step = stepToAugment(move.run)
  return openResearch(move, step, step.source, { ...whatFailed(move.run.policy, step, reason), passageIds: [] })
}
