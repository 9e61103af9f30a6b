import type { Checked, Evidence } from '@plumbline/contracts'
import { type Draft, questionOf } from '@plumbline/flow'
import { isOutdated } from '@plumbline/knowledge/retrieval'
import { AppError } from '@plumbline/platform'
import type { Call, CollectionCard, Skills } from '@plumbline/skills/skill/skill'
import type { StageHandler, Work } from '@plumbline/worker'
import type { CardCatalog } from '../handler/collection-cards'
import { coverageClaim, splitCoverage } from '../handler/coverage'
import { dimensionsOf } from '../handler/dimensions'
import { releasesPassed } from '../handler/early-release'
import { byNumber, passageNumbers } from '../handler/passage-numbers'
import { callOf } from '../handler/skill-call'

/** `catalog` is missing when a stored run is replayed. */
type Ports = { skills: Pick<Skills, 'check'>; catalog?: CardCatalog }

/** Notes whether the draft was checked without a model (offline). Such a check alone must not release a draft. */
const hearing = (call: Call): { call: Call; isDegraded: () => boolean } => {
  let degraded = false
  const onCall: Call['onCall'] = (told) => {
    degraded ||= told.insteadBy === 'offline'
    call.onCall?.(told)
  }
  return { call: { ...call, onCall }, isDegraded: () => degraded }
}

const flat = (text: string): string => text.replace(/\s+/g, ' ').trim()

const isVerbatim = ({ quotes = [], rows = [] }: Draft, evidence: Evidence[]): boolean =>
  [...quotes, ...rows].every(({ passageId, text }) => {
    const whole = flat(evidence.find(({ id }) => id === passageId)?.text ?? '')
    return text.split(/…|\n/).every((line) => whole.includes(flat(line)))
  })

const amended = (question: string, evidence: Evidence[]): string[] =>
  evidence.filter((passage) => isOutdated(question, passage, evidence)).map(({ id }) => id)

/** Adds the claim about how many passages a summary covers. No model checks it, because no passage contains it. */
const withCoverage = (checked: Checked, coverage: string | null, evidence: Evidence[]): Checked => {
  if (coverage === null || checked.claims.length === 0) return checked
  const { claims, text } = checked
  return {
    ...checked,
    claims: [...claims, coverageClaim(coverage, evidence)],
    ...(text !== undefined && { text: `${text}\n\n${coverage}` }),
  }
}

/**
 * Returns the collections that a person has described. Generated descriptions are left out, because only a person can
 * say which collection has more authority.
 */
const describedCollections = async (
  catalog: CardCatalog | undefined,
  { run, evidence, signal }: Work<'grade-answer'>,
): Promise<{ collections?: CollectionCard[] }> => {
  const names = [...new Set(evidence.map(({ collection }) => collection))]
  const cards = catalog && names.length > 1 ? await catalog.cards(run.tenant, names, signal) : []
  const described = cards.filter(({ made, description }) => !made && description !== '')
  return described.length > 0 ? { collections: described } : {}
}

export const gradeAnswer =
  ({ skills, catalog }: Ports): StageHandler<'grade-answer'> =>
  async (work) => {
    const { run, task, evidence } = work
    const { draft } = run
    if (draft?.draft !== task.draft) throw new AppError('run.draft-missing', 'never')
    const { text, citations, workings } = draft
    if (!isVerbatim(draft, evidence)) throw new AppError('run.quote-altered', 'never')
    if (draft.quotes)
      return { outcome: 'graded', claims: [], parts: [], support: 'none', confidence: 1, tooBroad: false }
    const isSummary = run.route?.to === 'summarise'
    const { written, coverage } = isSummary ? splitCoverage(text) : { written: text, coverage: null }
    const heard = hearing(callOf(work, 'check'))
    const onPassed = releasesPassed(work)
    const numbers = passageNumbers(run)
    const checked = await skills.check(
      {
        question: questionOf(run),
        steps: run.steps.map((step) => step.resolved ?? step.question),
        text: written,
        citations,
        evidence: byNumber(evidence, numbers),
        numbers,
        workings,
        ...(await describedCollections(catalog, work)),
        ...(onPassed && { onPassed }),
        ...(run.shown && { checked: { claims: run.shown.claims, key: run.shown.checkKey } }),
      },
      heard.call,
    )
    const evidenceMarks = checked.evidence && {
      ...checked.evidence,
      outdated: [...new Set([...checked.evidence.outdated, ...amended(questionOf(run), evidence)])],
    }
    // A summary is broad on purpose, so the verdict "too broad" is ignored.
    const tooBroad = checked.tooBroad && !isSummary
    return {
      outcome: 'graded',
      ...withCoverage(checked, coverage, evidence),
      tooBroad,
      ...(tooBroad && { dimensions: dimensionsOf(run, evidence) }),
      ...(evidenceMarks && { evidence: evidenceMarks }),
      ...(heard.isDegraded() && { degraded: true }),
    }
  }
