import type { Claim, LedgerEvent } from '@plumbline/contracts'
import { advance, auto, end, type Moved, type Report, type Run, show, type Stale, start } from '@plumbline/flow'
import type { Commit } from '@plumbline/ports/run-store/run-store'
import { samplePassage } from '@plumbline/ports/run-store/sample-run'
import fc from 'fast-check'
import type { Stage } from './play'

type Told = Report extends infer R ? (R extends Report ? Pick<R, 'taskId' | 'kind' | 'result'> : never) : never
const t0 = 1_900_000_000_000

const moved = (run: Run, told: Told): Moved => {
  const next = advance(run, { ...told, at: (run.movedAt ?? t0) + 1_000 } as Report)
  if (next.kind === 'stale') throw new Error(`The report of ${told.taskId} was stale.`)
  return next
}

const found = samplePassage('p1')

export const writingRun = (id: string): Run => {
  const asked = { id, tenant: 'default', lane: 'main', question: 'Mars?', collections: [], webOn: false, at: t0 }
  const noRetries = { maxRewrites: 0, maxWebSearches: 0, maxRegenerations: 0, maxAugments: 0 }
  const policy = { ...auto, ...noRetries, entry: 'research' as const }
  // Without a route, this run would show no text before its check, so it gets a route.
  const run = { ...start(asked, policy).run, route: { to: 'research' as const, logic: '', collections: [] } }
  const research = { outcome: 'found' as const, source: 'index' as const, queries: ['Mars'], passages: [found] }
  const admitted = moved(run, { taskId: 'admit', kind: 'admit', result: { outcome: 'admitted' } }).run
  return moved(admitted, { taskId: 'research.1.1', kind: 'research', result: research }).run
}

export type ShownAct = {
  does: 'begin' | 'show' | 'report' | 'repeat' | 'look' | 'cancel' | 'expire' | 'decide' | 'snapshot' | 'roll-back'
  which: number
}
export const aShownAct: fc.Arbitrary<ShownAct> = fc.record({
  does: fc.oneof(
    { weight: 10, arbitrary: fc.constant('show') },
    { weight: 5, arbitrary: fc.constant('begin') },
    { weight: 4, arbitrary: fc.constant('report') },
    { weight: 3, arbitrary: fc.constantFrom('repeat', 'look', 'decide') },
    { weight: 1, arbitrary: fc.constantFrom('cancel', 'expire', 'snapshot', 'roll-back') },
  ) as fc.Arbitrary<ShownAct['does']>,
  which: fc.nat({ max: 30 }),
})

/** A worker with a task, or a caller without a task. `shown` is the text that this writer believes to be shown. */
type Writer = { by: Commit['by']; run: Run; version: string; shown: string; last?: Commit }

const claim = (text: string, verdict: Claim['verdict']): Claim => ({
  text,
  kind: 'fact',
  verdict,
  reason: '',
  passageId: 'p1',
})

/**
 * Returns the shown text plus one sentence. `says` differs between parallel players, so that their sentences differ.
 */
const longerText = ({ by, run, shown }: Writer, says: string): string => {
  const isChecking = run.open.some(({ id, kind }) => id === by?.taskId && kind === 'grade-answer')
  const whole = isChecking ? (run.draft?.text ?? '') : `${shown}${shown === '' ? '' : ' '}${says}.`
  return isChecking ? whole.slice(0, whole.indexOf('.', shown.length) + 1) : whole
}

const showing = (writer: Writer, says: string): Moved | Stale => {
  const { by, run, shown } = writer
  const text = longerText(writer, says)
  const claims = text.split(/(?<=\.) /).map((sentence) => claim(sentence, 'supported'))
  const part = { text, claims, citations: [], numbers: ['p1'], checkKey: 'a key' }
  return show(run, { ...part, taskId: by?.taskId ?? '', from: shown.length, at: t0 + 10_000 })
}

const verdicts = ['supported', 'unsupported', 'contradicted'] as const

const reporting = ({ by, run }: Writer, which: number): Moved | Stale => {
  const task = run.open.find(({ id }) => id === by?.taskId)
  const at = (run.movedAt ?? t0) + 1_000
  if (task?.kind === 'generate') {
    const text = `${run.shown?.text ?? ''} The rest. The end.`.trim()
    const result = { outcome: 'drafted' as const, text, citations: [{ n: 1, passageId: 'p1' }] }
    return advance(run, { taskId: task.id, kind: 'generate', at, result })
  }
  if (task?.kind === 'grade-evidence') {
    const grade = { passageId: 'p1', relevant: true, level: 'high' as const, confidence: 1, reason: '' }
    const result = { outcome: 'graded' as const, overall: 'correct' as const, grades: [grade] }
    return advance(run, { taskId: task.id, kind: 'grade-evidence', at, result })
  }
  if (task?.kind !== 'grade-answer') return { kind: 'stale' }
  const verdict = verdicts[which % verdicts.length] ?? 'supported'
  const before = run.shown?.claims ?? []
  const claims =
    verdict === 'contradicted' && before[0]
      ? [{ ...before[0], verdict }, ...before.slice(1)]
      : [...before, claim('The end.', verdict)]
  const result = { outcome: 'graded' as const, claims, parts: [], support: 'partial' as const, confidence: 1 }
  return advance(run, { taskId: task.id, kind: 'grade-answer', at, result: { ...result, tooBroad: false } })
}

const decisions = ['approved', 'rejected', 'retry'] as const
const deciding = ({ run }: Writer, which: number): Moved | Stale => {
  const task = run.open.find(({ kind }) => kind === 'review')
  if (!task) return { kind: 'stale' }
  const named = { by: 'rita', decisionId: `decision-${which}` }
  const decided = { outcome: decisions[which % decisions.length] ?? 'approved', ...named } as const
  const edited = { outcome: 'edited' as const, text: 'An edit.', citations: [], ...named }
  const result = which % 4 === 3 ? edited : decided
  return advance(run, { taskId: task.id, kind: 'review', at: (run.movedAt ?? t0) + 1_000, result })
}

const endingAs = ({ run }: Writer, status: 'cancelled' | 'expired'): Moved | Stale =>
  end(run, { status, by: 'someone', at: (run.movedAt ?? t0) + 1_000 })

const computed = (does: ShownAct['does'], writer: Writer, which: number, says: string): Moved | Stale => {
  if (does === 'show') return showing(writer, says)
  if (does === 'report') return reporting(writer, which)
  if (does === 'decide') return deciding(writer, which)
  return endingAs(writer, does === 'cancel' ? 'cancelled' : 'expired')
}

export type Accepted = { shown: string; replies: unknown[] }

/**
 * Each writer uses the run that it has read last, which may be out of date. It reads the run again if another commit
 * came first.
 */
export const playShown = async (
  { store, snapshot }: Stage,
  runId: string,
  acts: ShownAct[],
  player = '',
): Promise<Accepted> => {
  const accepted: Accepted = { shown: '', replies: [] }
  const writers: Writer[] = []
  let snapshotted = { restore: async (): Promise<void> => {}, shown: undefined as string | undefined }
  await store.create(writingRun(runId), [], 'body')
  const caller: Writer = { by: null, run: writingRun(runId), version: '', shown: '' }

  const refresh = async (writer: Writer): Promise<void> => {
    const loaded = await store.load(runId)
    if (loaded) Object.assign(writer, { run: loaded.run, version: loaded.version })
  }
  const begin = async (which: number): Promise<void> => {
    const fence = `${player}f${writers.length}`
    const open = (await store.load(runId))?.run.open.find(({ kind }) => kind !== 'review')
    const taskId = which % 7 === 0 ? 'generate.1' : (open?.id ?? 'generate.1')
    const begun = await store.begin(runId, taskId, fence, { isolated: true })
    accepted.replies.push(begun.kind)
    if (begun.kind !== 'open') return
    const { run, version } = begun
    writers.push({ by: { taskId, fence }, run, version, shown: run.shown?.text ?? '' })
  }
  const commit = async (writer: Writer, given: Commit): Promise<void> => {
    writer.last = given
    const { kind } = await store.commit(given)
    accepted.replies.push(kind)
    if (kind === 'moved') accepted.shown = given.run.shown?.text ?? ''
    if (kind === 'moved') Object.assign(writer, { run: given.run, version: given.next, shown: accepted.shown })
    if (kind === 'raced') await refresh(writer)
  }
  for (const [nth, { does, which }] of acts.entries()) {
    const isOutside = does === 'cancel' || does === 'expire' || does === 'decide'
    // Half of the time, the newest job delivery acts. Otherwise any job delivery acts.
    const writer = isOutside ? caller : which % 2 === 0 ? writers.at(-1) : writers[which % Math.max(1, writers.length)]
    if (does === 'begin') await begin(which)
    else if (does === 'look') await refresh(caller)
    else if (does === 'snapshot') snapshotted = { restore: await snapshot(runId), shown: accepted.shown }
    else if (does === 'roll-back') {
      await snapshotted.restore()
      accepted.shown = snapshotted.shown ?? accepted.shown
    } else if (does === 'repeat') {
      if (writer?.last) await commit(writer, writer.last)
    } else if (writer) {
      const next = computed(does, writer, which, `${player}${nth} says so`)
      if (next.kind === 'stale') accepted.replies.push('stale')
      else {
        const { run, events, evidence } = next
        const { by, version } = writer
        await commit(writer, { run, version, next: `${runId}-${player}v${nth}`, by, events, evidence })
      }
    }
  }
  return accepted
}

export const joined = (events: LedgerEvent[]): string | null => {
  let text = ''
  for (const event of events) {
    if (event.type !== 'checked') continue
    if (event.from !== text.length) return null
    text += event.text
  }
  return text
}
