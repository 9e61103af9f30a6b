import { Queue } from 'bullmq'
import { Redis } from 'ioredis'
import { ProblemError } from '@plumbline/client'
import type { Decision, RunView, StreamEvent } from '@plumbline/contracts'
import { openJobs, type Run } from '@plumbline/flow'
import { faultsOf, type Finished, type ReviewDecision } from '../early-release-checks'
import { coin } from '../handlers'
import { inHouse, type House } from '../house'
import type { OwnPolicy } from '../own-policies'
import { type Outcome, percent, type Row, type Scale } from '../row'
import { type Door, patiently, type Watched, watchRun } from '../shown-streams'
import {
  type Case,
  edited,
  ferry,
  notice,
  playWriter,
  questionOf,
  type WritingName,
  writingOf,
  writings,
} from '../unsteady-writer'
import { pause, until } from '../wait'

const sizes: Record<Scale, { runs: number; atOnce: number }> = {
  short: { runs: 72, atOnce: 24 },
  full: { runs: 1_000, atOnce: 40 },
}
const names = Object.keys(writings) as WritingName[]
const troubles = ['none', 'cancel', 'copy', 'late verdict', 'copy after a part', 'lost verdict', 'none'] as const
type Trouble = (typeof troubles)[number]
const doors: Door[] = ['events', 'ask', 'chat']
const decisions: ReviewDecision[] = ['edit', 'reject', 'approve', 'edit and keep', 'none']

type Plan = Case & { trouble: Trouble; decision: ReviewDecision }
const planOf = (n: number): Plan => {
  const round = Math.floor(n / names.length)
  const writing = names[n % names.length] ?? 'stays true'
  const trouble = troubles[round % troubles.length] ?? 'none'
  const decision = decisions[((n % names.length) + round) % decisions.length] ?? 'none'
  const verdict = trouble === 'late verdict' ? 'late' : trouble === 'lost verdict' ? 'lost' : 'prompt'
  return { writing, verdict, trouble, decision: writing === 'invents until nobody decides' ? 'none' : decision }
}

const killing = (house: House) => {
  let isOver = false
  let kills = 0
  const done = (async () => {
    while (!isOver) {
      await pause(2_000 + Math.random() * 3_000)
      const alive = house
        .crew()
        .filter((each) => each.alive() && each.output.some((line) => line.includes('consuming')))
      const victim = alive[Math.floor(Math.random() * alive.length)]
      if (!victim || isOver) continue
      await victim.kill('SIGKILL')
      kills += 1
    }
  })()
  return async (): Promise<number> => {
    isOver = true
    await done
    return kills
  }
}

/** Simulates a duplicate delivery: queues the draft's job again while a worker still writes the draft. */
const openCopier = (house: House) => {
  const connection = new Redis(house.redisUrl, { maxRetriesPerRequest: null })
  const queue = new Queue('generator', { connection, prefix: 'plumbline:{main}' })
  let copies = 0
  return {
    copies: () => copies,
    copy: async (id: string): Promise<void> => {
      const run = (await house.store.load(id))?.run
      const job = run && openJobs(run).find((each) => each.queue === 'generator')
      if (!job) return
      copies += 1
      const once = { removeOnComplete: true, removeOnFail: true }
      await queue.add('task', job.data, { jobId: `${job.jobId}.copy${copies}`, ...once })
    },
    close: async (): Promise<void> => {
      await queue.close()
      connection.disconnect()
    },
  }
}
type Copier = ReturnType<typeof openCopier>

const isHeldForGood = (run: Run, { decision, writing }: Plan): boolean =>
  run.status === 'parked' && decision === 'none' && writing !== 'invents until nobody decides'

const decide = async ({ client }: House, run: Run, { decision }: Plan): Promise<void> => {
  const task = run.open.find(({ kind }) => kind === 'review')
  if (!task || decision === 'none') return
  const named = { taskId: task.id, decisionId: `decide-${run.id}-${task.id}` }
  const before = run.shown?.text ?? ''
  const text = decision === 'edit' || before === '' ? edited : `${before}\n\n${edited}`
  const made: Decision =
    decision === 'reject' || run.reason === 'parked.edit-ungrounded'
      ? { ...named, action: 'reject' }
      : decision === 'approve'
        ? { ...named, action: 'approve', note: 'The reviewer knows better.' }
        : { ...named, action: 'edit', text }
  // Ignore a conflict, because the run may have been canceled or may have expired meanwhile.
  await patiently(() => client.decide(run.id, made)).catch((error: unknown) => {
    if (!(error instanceof ProblemError) || error.problem.status !== 409) throw error
  })
}

const settle = async (house: House, { id, done }: Watched, plan: Plan): Promise<Run> => {
  const sent = new Set<string>()
  let last: Run | null | undefined
  const isOver = async (): Promise<boolean> => {
    const run = (last = (await house.load([id]))[0])
    const review = run?.open.find(({ kind }) => kind === 'review')
    if (run && review && !sent.has(review.id)) {
      sent.add(review.id)
      await decide(house, run, plan)
    }
    return run !== null && run !== undefined && (run.endedAt !== undefined || isHeldForGood(run, plan))
  }
  await until(`${id} ends (${plan.writing}, ${plan.trouble}, ${plan.decision})`, isOver, 300_000)
  if (!last) throw new Error(`${id} is lost`)
  if (last.endedAt !== undefined) await done
  return last
}

const disturbing = (house: House, copier: Copier, n: number) => {
  const { trouble } = planOf(n)
  const views: Promise<RunView>[] = []
  const known = new Set<string>()
  const disturb = async (id: string, type: string): Promise<void> => {
    if (type === 'checked' && trouble === 'cancel') await house.client.cancel(id)
    if (type === 'checked' && trouble === 'copy after a part') await copier.copy(id)
    if (type === 'writing' && trouble === 'copy') {
      await pause(coin(`copy/${n}`) * 1_000)
      await copier.copy(id)
    }
  }
  const onEvent = ({ type }: StreamEvent, id: string): void => {
    if (type === 'checked') views.push(patiently(() => house.client.run(id)))
    if (!known.has(type)) void disturb(id, type).catch(() => undefined)
    known.add(type)
  }
  return { onEvent, views }
}

const playOne = async (house: House, copier: Copier, n: number): Promise<Finished> => {
  const plan = planOf(n)
  const { policy = 'standard' } = writingOf(plan)
  const { onEvent, views } = disturbing(house, copier, n)
  const ask = { question: questionOf(n), collection: 'ferries', policy }
  const watched = await watchRun(house.url, doors[n % doors.length] ?? 'events', ask, { breaks: n % 2 === 0, onEvent })
  const { id, readings, done, stop } = watched
  const run = await settle(house, watched, plan)
  const ledger = (await patiently(() => house.client.ledger(id))).items.map(({ event }) => event)
  const isRead = (): boolean => readings.every(({ door, events }) => door === 'chat' || events.length >= ledger.length)
  // If a reader does not get all events, the checks below report it.
  await until(`the readers of ${id} have read all`, isRead, 20_000).catch(() => undefined)
  stop()
  await done.catch(() => undefined)
  const view = await patiently(() => house.client.run(id))
  return { run, view, early: await Promise.all(views), ledger, stored: await house.ledgerOf(id), readings }
}

const playAll = async (house: House, scale: Scale) => {
  const { runs, atOnce } = sizes[scale]
  const copier = openCopier(house)
  const stopKilling = killing(house)
  const finished: Finished[] = []
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < runs) finished.push(await playOne(house, copier, next++))
    void stopKilling()
  }
  await Promise.all(Array.from({ length: atOnce }, lane)).finally(() => copier.close())
  return { finished, kills: await stopKilling(), copies: copier.copies() }
}

const count = (finished: Finished[], holds: (each: Finished) => boolean): number => finished.filter(holds).length
const tells =
  (type: string) =>
  ({ ledger }: Finished): boolean =>
    ledger.some((event) => event.type === type)

const outcomeOf = ({ finished, kills, copies }: Awaited<ReturnType<typeof playAll>>): Outcome => {
  const wrong = finished.flatMap(faultsOf)
  for (const fault of wrong.slice(0, 10)) console.log(`    ${fault}`)
  const early = count(finished, tells('checked'))
  const [doubted = 0, corrected = 0, withdrawn = 0] = ['doubted', 'corrected', 'withdrawn'].map((type) =>
    count(finished, tells(type)),
  )
  const incomplete = count(finished, ({ view }) => view.partial?.state === 'incomplete')
  const isTried = [doubted, corrected, withdrawn, incomplete, kills, copies].every((times) => times > 0)
  const answered = count(finished, (each) => each.view.status === 'answered' && tells('checked')(each))
  return {
    holds: wrong.length === 0 && isTried && early >= finished.length / 2,
    figures: {
      runs: finished.length,
      kills,
      'second deliveries': copies,
      'shown early': percent(early / finished.length),
      'of these answered': answered,
      incomplete,
      doubted,
      corrected,
      withdrawn,
      wrong: wrong.length,
    },
  }
}

const policies: OwnPolicy[] = [
  { name: 'brief', extends: 'standard', parkMs: 4_000 },
  { name: 'hasty', extends: 'standard', deadlineMs: 9_000 },
]

export const E9: Row = {
  id: 'E9',
  promise:
    'released sentences of a model that invents, contradicts and takes back, over every door, with kills, copies, cancels, decisions, late and lost verdicts: 0 unsupported bytes shown; each shown byte begins the answer, or is marked',
  run: (scale) =>
    inHouse(
      {
        killable: ['generator', 'grader'],
        policies,
        env: () => ({ KEY_ASKS_PER_MINUTE: '60000', KEY_READS_PER_MINUTE: '600000' }),
      },
      async (house) => {
        await house.add('Ferry', ferry, 'ferries')
        await house.add('Notice', notice, 'ferries')
        playWriter(
          house.model,
          Array.from({ length: sizes[scale].runs }, (_, n) => planOf(n)),
        )
        return outcomeOf(await playAll(house, scale))
      },
    ),
}
