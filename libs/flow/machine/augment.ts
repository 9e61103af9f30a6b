import type { Grading, Run, Step } from '../map/run'
import { passing } from './evidence'

const unsupported = (grading: Grading | undefined) =>
  grading?.claims.filter(({ kind, verdict }) => kind !== 'style' && verdict !== 'supported') ?? []

const missedParts = (grading: Grading | undefined): string[] =>
  grading?.parts.filter(({ outcome }) => outcome === 'missed').map(({ what }) => what) ?? []

export const isMissed = (step: Step, grading: Grading | undefined): boolean =>
  missedParts(grading).some((what) => what === step.question || what === step.resolved)

export const whatIsMissing = (grading: Grading | undefined): string =>
  [...unsupported(grading).map(({ text }) => `Not supported: ${text}`), ...missedParts(grading).map((what) => `Not answered: ${what}`)].join(' ')

/** The step whose evidence a failed claim cites, or whose question was missed; else the one with the least evidence. */
export const stepToAugment = ({ steps, grading, policy }: Run): Step | undefined => {
  const cited = new Set(unsupported(grading).map(({ passageId }) => passageId))
  const weakest = steps.toSorted((a, b) => passing(policy, a).length - passing(policy, b).length)[0]
  return steps.find((step) => isMissed(step, grading) || step.evidence.some(({ id }) => cited.has(id))) ?? weakest
}
