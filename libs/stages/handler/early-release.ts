import { setTimeout as wait } from 'node:timers/promises'
import type { CitedPassage, Claim, Evidence } from '@plumbline/contracts'
import { mayShow, mayShowOnceRouted, questionOf, type Run, type Shown } from '@plumbline/flow'
import { closedPart } from '@plumbline/knowledge/claims/closed-part'
import { piecesOf } from '@plumbline/knowledge/claims/pieces'
import type { Call, DraftPart, Skills } from '@plumbline/skills/skill/skill'
import type { Work } from '@plumbline/worker'
import { callOf } from './skill-call'

/** The time limit for checking the beginning of an unfinished draft. The whole draft is checked later anyway. */
const patienceMs = 10_000
/** The interval at which the run is read again, until its route is known and its search is complete. */
const routeWaitMs = 50
/** A draft is checked again once it has this many times the length of the part that the asker already has. */
const growth = 2
/** A running check may continue for this long after the draft is complete. The final check reuses its verdicts. */
const lastPatienceMs = 1_500

const passedPart = (
  part: Pick<DraftPart, 'text' | 'ends'>,
  claims: Shown['claims'],
): Pick<Shown, 'text' | 'claims'> => {
  const heads = part.ends.map((end) => ({
    text: part.text.slice(0, end),
    count: piecesOf(part.text.slice(0, end)).length,
  }))
  const last = heads.findLast(({ count }) => count <= claims.length)
  return { text: last?.text ?? '', claims: claims.slice(0, last?.count ?? 0) }
}

/** Returns the passage ids by citation number. An unused number has an empty id. */
const numbersOf = (citations: CitedPassage[]): string[] =>
  Array.from(
    { length: Math.max(0, ...citations.map(({ n }) => n)) },
    (_, at) => citations.find(({ n }) => n === at + 1)?.passageId ?? '',
  )

const partShown = (
  { workings, citations }: Pick<DraftPart, 'workings' | 'citations'>,
  { text, claims }: Pick<Shown, 'text' | 'claims'>,
) => {
  const pieces = piecesOf(text)
  const used = new Set(pieces.flatMap(({ marks }) => marks))
  const texts = new Set(pieces.map((piece) => piece.text))
  const own = workings.filter(({ what }) => texts.has(what))
  const cited = citations.filter(({ n }) => used.has(n))
  return {
    text,
    claims,
    citations: cited,
    numbers: numbersOf(cited),
    ...(own.length > 0 && { workings: own }),
  }
}

export type EarlyRelease = {
  onPart: (part: DraftPart) => void
  stop: () => Promise<Omit<Shown, 'checkKey'> | undefined>
}

type Latest = Pick<Work<'generate'>, 'run' | 'evidence'>

/** Waits until the route is known and the search is complete. A draft may begin earlier, but must not be shown. */
const settledRun = async (now: Latest, { latest }: Work<'generate'>, isOver: () => boolean): Promise<Latest> => {
  while (latest && !mayShow(now.run) && !isOver()) {
    now = await latest()
    if (!mayShow(now.run)) await wait(routeWaitMs)
  }
  return now
}

type Grown = { text: string } | undefined
const isDue = (newest: Grown, shown: Grown): boolean => {
  const [length, before] = [newest?.text.length ?? 0, shown?.text.length ?? 0]
  return length > before && length >= growth * before
}

/**
 * Checks the beginning of a growing draft and shows the asker the part that passes. One check runs at a time. Nothing
 * more is shown after the first claim that does not pass.
 */
export const earlyRelease = (
  skills: Pick<Skills, 'checkPart'>,
  work: Work<'generate'>,
  evidence: Evidence[],
): EarlyRelease => {
  const { show } = work
  let now: Latest = { run: work.run, evidence }
  const stopped = new AbortController()
  const signal = AbortSignal.any([work.signal, stopped.signal])
  let newest: DraftPart | undefined
  let shown: Omit<Shown, 'checkKey'> | undefined
  let running: Promise<void> | undefined
  let isComplete = false

  const checkNewest = async (): Promise<boolean> => {
    if (!mayShow(now.run)) now = await settledRun(now, work, () => signal.aborted || isComplete)
    if (!mayShow(now.run)) return false
    const part = newest
    if (!part || !show || isComplete || signal.aborted) return false
    const known = shown?.claims ?? []
    const call: Call = {
      ...callOf(work, 'check'),
      lastRung: 'none',
      signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]),
    }
    const { text, citations, workings } = part
    const { claims, key } = await skills.checkPart(
      { ...inputOf(now.run), text, citations, workings, evidence: now.evidence, known: known.length },
      call,
    )
    const passed = passedPart(part, [...known, ...claims])
    if (passed.text.length <= (shown?.text.length ?? 0) || signal.aborted) return false
    const next = partShown(part, passed)
    const isShown = await show({ ...next, from: shown?.text.length ?? 0, checkKey: key })
    if (!isShown) return false
    shown = next
    return known.length + claims.length === piecesOf(part.text).length
  }
  const checkAll = async (): Promise<void> => {
    while (isDue(newest, shown)) if (!(await checkNewest())) return stopped.abort()
  }
  return {
    onPart: (part) => {
      newest = part.text.length > (newest?.text.length ?? 0) ? part : newest
      // An error only means that no further part is released early. The whole draft is checked later anyway.
      running ??= checkAll()
        .catch(() => stopped.abort())
        .finally(() => (running = undefined))
    },
    stop: async () => {
      isComplete = true
      const timer = setTimeout(() => stopped.abort(), lastPatienceMs)
      await running
      clearTimeout(timer)
      return shown
    },
  }
}

const inputOf = (run: Run) => ({
  question: questionOf(run),
  steps: run.steps.map((step) => step.resolved ?? step.question),
})

/**
 * Returns whether parts of the draft may be shown before the whole draft is checked. False if an earlier task of the
 * run has already shown a part.
 */
export const releasesEarly = ({ run, show }: Work<'generate'>): boolean =>
  show !== undefined && run.shown === undefined && (mayShow(run) || (run.ahead !== undefined && mayShowOnceRouted(run)))

export const releasesPassed = (work: Work<'grade-answer'>): ((claims: Claim[], key: string) => void) | undefined => {
  const { run, show } = work
  const { draft } = run
  if (!show || !draft || !mayShow(run)) return undefined
  const { text, citations, workings = [] } = draft
  const ends = [...closedPart(text).ends, text.length]
  const before = run.shown?.text.length ?? 0
  return (claims, checkKey) => {
    const passed = passedPart({ text, ends }, claims)
    // An error is ignored, because the complete answer contains this text anyway.
    if (passed.text.length > before)
      void show({ ...partShown({ citations, workings }, passed), from: before, checkKey }).catch(() => {})
  }
}
