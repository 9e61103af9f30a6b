import { asked, openAutoscaler, type Scaling, syncSeconds } from './autoscaler'
import { type ServiceTimes, timeAt } from './service-times'

export type Worker = {
  name: string
  /** Tasks at once in a pod, which is the target of a pod too. */
  slots: number
  scaling: Scaling
}
/** The path of one piece of work: a number of parallel tasks in one worker, then the next. */
export type Way = { task: string; worker: string; times: number }[]
type Seen = { prioritised: number; active: number; pods: number }
/** An autoscaler's metric, and its target per pod. */
export type Signal = (seen: Seen, worker: Worker) => { value: number; target: number }
type World = {
  workers: Worker[]
  way: Way
  times: ServiceTimes
  signal: Signal
  /** How many pieces of work come in the tick that ends at this second. */
  arrivals: (from: number, to: number) => number
  seconds: number
  /** From the decision for a pod to its first task. */
  podStartSeconds: number
  pick: (below: number) => number
}
export type Sample = { at: number; worker: string; oldest: number; waiting: number; active: number; pods: number }

const ticksPerSecond = 10
const shares = 10_000

type Task = { since: number; work: Work; step: number }
type Work = { left: number }
type Line = {
  worker: Worker
  queue: Task[]
  /** How many jobs were taken from the queue. */
  taken: number
  running: { endsAt: number; task: Task }[]
  /** When each pod takes its first task. */
  pods: number[]
  told: { value: number; target: number }
  scale: ReturnType<typeof openAutoscaler>
}

const seenOf = ({ queue, taken, running, pods }: Line): Seen => ({
  prioritised: queue.length - taken,
  active: running.length,
  pods: pods.length,
})

const openLine = (worker: Worker): Line => ({
  worker,
  queue: [],
  taken: 0,
  running: [],
  pods: Array.from({ length: worker.scaling.min }, () => 0),
  told: { value: 0, target: worker.slots },
  scale: openAutoscaler(worker.scaling),
})

const takeEnded = (line: Line, at: number): Task[] => {
  const ended = line.running.filter(({ endsAt }) => endsAt <= at)
  if (ended.length > 0) line.running = line.running.filter(({ endsAt }) => endsAt > at)
  return ended.map(({ task }) => task)
}

const fillSlots = (line: Line, at: number, durationOf: (task: Task) => number): void => {
  const slots = line.pods.filter((from) => from <= at).length * line.worker.slots
  while (line.running.length < slots && line.taken < line.queue.length) {
    const task = line.queue[line.taken++]
    if (task) line.running.push({ endsAt: at + durationOf(task), task })
  }
}

const scaleLine = (line: Line, at: number, podStartSeconds: number): void => {
  const { value, target } = line.told
  const pods = line.scale(at, line.pods.length, asked(value, target, line.pods.length))
  while (line.pods.length < pods) line.pods.push(at + podStartSeconds)
  // The youngest go first; what they work on they finish.
  line.pods.length = pods
}

const sampleOf = (line: Line, at: number): Sample => {
  const { prioritised: waiting, active, pods } = seenOf(line)
  const head = line.queue[line.taken]
  return { at, worker: line.worker.name, oldest: head ? at - head.since : 0, waiting, active, pods }
}

/** Every piece of work through all its tasks, on pods that come and go as an autoscaler says; one sample of each worker a second. */
export const simulate = (world: World): Sample[] => {
  const { workers, way, times, signal, arrivals, seconds, podStartSeconds, pick } = world
  const lines = new Map(workers.map((worker) => [worker.name, openLine(worker)]))
  const open = (work: Work, step: number, at: number): void => {
    const { worker = '', times: count = 0 } = way[step] ?? {}
    work.left = count
    for (let n = 0; n < count; n += 1) lines.get(worker)?.queue.push({ since: at, work, step })
  }
  const durationOf = ({ step }: Task): number => timeAt(times.get(way[step]?.task ?? '') ?? [], pick(shares) / shares)

  const samples: Sample[] = []
  for (let tick = 1; tick <= seconds * ticksPerSecond; tick += 1) {
    const at = tick / ticksPerSecond
    for (let n = arrivals(at - 1 / ticksPerSecond, at); n > 0; n -= 1) open({ left: 0 }, 0, at)
    for (const line of lines.values()) {
      for (const { work, step } of takeEnded(line, at)) {
        work.left -= 1
        if (work.left === 0) open(work, step + 1, at)
      }
      fillSlots(line, at, durationOf)
      if (at % line.worker.scaling.pollSeconds === 0) line.told = signal(seenOf(line), line.worker)
      if (at % syncSeconds === 0) scaleLine(line, at, podStartSeconds)
      if (at % 1 === 0) samples.push(sampleOf(line, at))
    }
  }
  return samples
}
