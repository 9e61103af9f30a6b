import type { Inspection, LaneFacts, Overdue } from '@plumbline/adapters/redis/ops/inspect'
import { fault, warning, type Finding } from './finding'

/**
 * If runs of a lane (a group of queues) are overdue for longer than this, no worker serves the lane. A worker would
 * check them every few seconds.
 */
const unattendedMs = 90_000
const minutes = (ms: number): string => `${Math.round(ms / 60_000)} min`

const ofLane = (named: readonly string[]) => {
  return ({ what: lane, count, lateMs, paused }: LaneFacts): Finding[] => {
    const isNamed = named.includes(lane)
    return [
      ...(paused.length > 0
        ? [
            fault(
              'queues.paused',
              `${paused.join(', ')} in lane ${lane} ${paused.length === 1 ? 'is' : 'are'} paused: workers take no jobs from there.`,
              `Resume with an operator's key: ${paused.map((queue) => `POST /v1/ops/stages/${queue}/resume`).join(', ')}.`,
            ),
          ]
        : []),
      ...(!isNamed && count > 0
        ? [
            fault(
              'lanes',
              `Lane ${lane} contains ${count} unfinished runs, but LANES (${named.join(',')}) does not contain this lane.`,
              `Start workers with LANES=${[...named, lane].join(',')} until the lane is empty.`,
            ),
          ]
        : []),
      ...(isNamed && lateMs > unattendedMs
        ? [
            fault(
              'queues.stuck',
              `Runs in lane ${lane} have been due for ${minutes(lateMs)}: no worker serves this lane.`,
              `Start workers with LANES=${named.join(',')}, and check their logs.`,
            ),
          ]
        : []),
    ]
  }
}

const ofIngestor = ({ what, count, lateMs }: Overdue): Finding[] =>
  count > 0 && lateMs > unattendedMs
    ? [
        fault(
          'queues.stuck',
          `${count} ${what} are waiting, the first for ${minutes(lateMs)}: no ingestor is running.`,
          'Start an ingestor, and check its log.',
        ),
      ]
    : []

const ofNodes = (lanes: LaneFacts[], named: readonly string[]): Finding[] => {
  const nodes = new Set(lanes.filter(({ what }) => named.includes(what)).map(({ node }) => node))
  return nodes.size < named.length
    ? [
        warning(
          'lanes',
          `The queues of ${named.length} lanes are on only ${nodes.size} node${nodes.size === 1 ? '' : 's'} of the cluster.`,
          'Use other lane names, because the name of a lane determines its node (docs/run/redis.md).',
        ),
      ]
    : []
}

const recent = 86_400_000

type GivenUp = { runId: string; taskId: string; reason: string; at: number }
const ofAbandoned = (all: GivenUp[], now: number): Finding[] => {
  const latest = all.filter(({ at }) => now - at < recent)
  const [first] = latest
  return first
    ? [
        warning(
          'queues.abandoned',
          `Tasks abandoned in the last 24 hours: ${latest.length}. The latest was ${first.taskId} of the run ${first.runId}.`,
          'Open /ops/abandoned, which shows the reasons and lets you ask the questions of these runs again.',
        ),
      ]
    : []
}

export const queueFindings = async (
  inspection: Inspection,
  named: readonly string[],
  abandoned: () => Promise<GivenUp[]>,
): Promise<Finding[]> => {
  const lanes = await inspection.lanes(named)
  return [
    ...lanes.flatMap(ofLane(named)),
    ...(inspection.isCluster ? ofNodes(lanes, named) : []),
    ...ofIngestor(await inspection.documents()),
    ...ofIngestor(await inspection.webhooks()),
    ...ofAbandoned(await abandoned(), Date.now()),
  ]
}
