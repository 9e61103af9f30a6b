import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { picks } from '@plumbline/flow/spec/random-runs.spec'
import { workIn } from '@plumbline/ports/job-queue'
import { renderTemplates } from '../../deploy/kubernetes/spec/render-chart'
import { readServiceTimes, type ServiceTimes } from './service-times'
import { type Sample, type Signal, simulate, type Way, type Worker } from './world'

type Trigger = { metadata: { targetValue: string } }
type ScaledObject = {
  kind: string
  metadata: { name: string }
  spec: {
    pollingInterval: number
    minReplicaCount: number
    maxReplicaCount: number
    advanced: { horizontalPodAutoscalerConfig: { behavior: Pick<Worker['scaling'], 'scaleUp' | 'scaleDown'> } }
    triggers: Trigger[]
  }
}

/** The workers as the chart scales them. */
const chartWorkers: Worker[] = renderTemplates({ autoscaling: { enabled: true } }, ['autoscaling.yaml'])
  .filter(({ kind }) => kind === 'ScaledObject')
  .map((manifest) => {
    const { metadata, spec } = manifest as unknown as ScaledObject
    return {
      name: metadata.name.replace('plumbline-', ''),
      slots: Number(spec.triggers[0]?.metadata.targetValue),
      scaling: {
        min: spec.minReplicaCount,
        max: spec.maxReplicaCount,
        pollSeconds: spec.pollingInterval,
        ...spec.advanced.horizontalPodAutoscalerConfig.behavior,
      },
    }
  })

/** A run of standard with a plan of three steps. */
const runWay: Way = [
  { task: 'route', worker: 'router', times: 1 },
  { task: 'plan', worker: 'planner', times: 1 },
  { task: 'research', worker: 'researcher', times: 3 },
  { task: 'grade-evidence', worker: 'grader', times: 3 },
  { task: 'generate', worker: 'generator', times: 1 },
  { task: 'grade-answer', worker: 'grader', times: 1 },
]
const documentWay: Way = [{ task: 'document', worker: 'ingestor', times: 1 }]

export const burstAt = 61
const secondBurst = { from: 300, to: 360, timesAsMany: 10 }
const seconds = 600
/** From the decision for a pod until it takes its first task. */
const podStartSeconds = 20

/** `burst`: what comes at once; `perSecond`: what always comes, and for a minute ten times as much. `slower`: how many times longer tasks take. */
type Scenario = { name: string; way: Way; burst: number; perSecond: number; slower: number }
export const scenarios = {
  asks: { name: '1,000 asks at once', way: runWay, burst: 1_000, perSecond: 2, slower: 1 },
  slow: { name: '200 asks at once, models five times slower', way: runWay, burst: 200, perSecond: 0.5, slower: 5 },
  documents: { name: '300 documents at once', way: documentWay, burst: 300, perSecond: 0.2, slower: 1 },
} satisfies Record<string, Scenario>

const arrivalsOf =
  ({ burst, perSecond }: Scenario) =>
  (from: number, to: number): number => {
    const { timesAsMany } = secondBurst
    const rate = perSecond * (to > secondBurst.from && to <= secondBurst.to ? timesAsMany : 1)
    return Math.floor(to * rate) - Math.floor(from * rate) + (from < burstAt && to >= burstAt ? burst : 0)
  }

/** The gateway's metric, by the scaler's own formula, for a queue whose jobs all have a turn. */
const jobs: Signal = ({ prioritised, active }, { slots }) => ({
  value: workIn({ waiting: prioritised, active, due: 0, paused: false }),
  target: slots,
})
/** The length of BullMQ's `wait` list, which has no jobs with a turn. */
const waitList: Signal = (_, { slots }) => ({ value: 0, target: slots })
const waitingAlone: Signal = ({ prioritised }, { slots }) => ({ value: prioritised, target: slots })

const measured = readFileSync(join(import.meta.dirname, 'measured.txt'), 'utf8')
const measuredTimes = readServiceTimes(measured)
const sumOf = (pattern: RegExp): number => [...measured.matchAll(pattern)].reduce((sum, [, n]) => sum + Number(n), 0)
/** Cores that a task under way takes: it waits for its model most of the time. */
const coresOfTask = sumOf(/^process_cpu_seconds_total (\S+)/gm) / sumOf(/^plumbline_task_seconds_sum\{.*\} (\S+)/gm)
const requestedCores = 0.1
/** Of tasks that wait `slower` times as long for their model. */
const processor =
  (slower: number): Signal =>
  ({ active }) => ({ value: (active * coresOfTask) / slower, target: 0.7 * requestedCores })

export type Told = { name: string; signal: Signal; pollSeconds?: number; max?: number }
export const scaler: Told = { name: 'what the scaler tells, asked every 5 s', signal: jobs }
export const waitListOnly: Told = { name: 'the length of BullMQ’s `wait` list', signal: waitList }
const others: Told[] = [
  { name: 'the same, asked every 30 s', signal: jobs, pollSeconds: 30 },
  { name: 'what waits, without what is under way', signal: waitingAlone },
]
const none: Told = { name: 'none: one pod of each', signal: jobs, max: 1 }
/** Reading documents takes all the processor it gets, which says nothing of how many wait. */
export const signalsFor = ({ way, slower }: Scenario): Told[] => [
  scaler,
  ...others,
  ...(way === runWay ? [{ name: 'processor, at 70 % of what a pod asks for', signal: processor(slower) }] : []),
  waitListOnly,
  none,
]

const slowed = (times: ServiceTimes, by: number): ServiceTimes =>
  new Map([...times].map(([work, buckets]) => [work, buckets.map(({ upTo, count }) => ({ upTo: upTo * by, count }))]))

/** One signal through one scenario. */
export const play = (
  scenario: Scenario,
  { signal, pollSeconds, max }: Omit<Told, 'name'>,
  until = seconds,
): Sample[] => {
  const workers = chartWorkers
    .filter(({ name }) => scenario.way.some(({ worker }) => worker === name))
    .map((worker) => ({
      ...worker,
      scaling: {
        ...worker.scaling,
        ...(pollSeconds !== undefined && { pollSeconds }),
        ...(max !== undefined && { max, min: Math.min(max, worker.scaling.min) }),
      },
    }))
  return simulate({
    workers,
    way: scenario.way,
    times: slowed(measuredTimes, scenario.slower),
    signal,
    arrivals: arrivalsOf(scenario),
    seconds: until,
    podStartSeconds,
    pick: picks(1),
  })
}

/** Whether active work would need more pods than allowed. */
export const tooFew = (samples: Sample[]): Sample[] => {
  const slots = new Map(chartWorkers.map((worker) => [worker.name, worker.slots]))
  return samples.filter(({ worker, pods, active }) => pods * (slots.get(worker) ?? 0) < active)
}

const twoPolls = 10
/** How old the oldest was at most, once the autoscaler had looked twice. */
export const oldestAfterTwoPolls = (samples: Sample[]): number =>
  Math.max(...samples.filter(({ at }) => at >= burstAt + twoPolls).map(({ oldest }) => oldest))
