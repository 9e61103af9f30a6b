import type { ParkedGroup, ParkedRow, Run } from '@plumbline/flow'
import { withScripts, type RedisClient } from '../client/client'
import { openDueQueue } from '../client/due-queue'
import { answerWithinMs, throughCall, withTimeout } from '../client/errors'
import { keys } from '../client/keys'
import reserveParked from './lua/reserve-parked.lua'

export type AvailableReviewer = { name: string; atMost: number; access: NonNullable<Run['access']>; until: number }
type Draft = Pick<ParkedRow, 'runId' | 'taskId'>
export type Candidate = Draft & { reviewers: string[] }
export type Reservation = Draft & { to: string }

/** An unused reservation expires after this time, which is longer than any expected outage of all gateways. */
const reservedMs = 3_600_000

const textOf = ({ until, atMost, access }: AvailableReviewer): string => `${until} ${atMost} ${JSON.stringify(access)}`
const reviewerOf = ([name, text]: [string, string]): AvailableReviewer => {
  const [until, atMost, ...access] = text.split(' ')
  return {
    name,
    until: Number(until),
    atMost: Number(atMost),
    access: JSON.parse(access.join(' ')) as AvailableReviewer['access'],
  }
}
const memberOf = ({ runId, taskId }: Draft): string => `${runId} ${taskId}`

export const availableReviewers = async (
  redis: RedisClient,
  tenant: string,
  now: number,
): Promise<AvailableReviewer[]> =>
  Object.entries(await redis.hgetall(keys.reviewers(tenant)))
    .map(reviewerOf)
    .filter(({ until }) => until > now)

/**
 * Stores the reviewers who are available for work. `due` contains the tenants whose held drafts (answers that wait for
 * a review) must be assigned to reviewers.
 */
export const openReviewers = (redis: RedisClient) => {
  const scripts = withScripts(redis, { runsReserveParked: { lua: reserveParked, numberOfKeys: 4 } })
  return {
    due: openDueQueue(redis, 'reviewersDue'),
    ...throughCall(withTimeout(answerWithinMs), {
      put: async (tenant: string, reviewer: AvailableReviewer, forMs: number): Promise<void> => {
        const key = keys.reviewers(tenant)
        const [added] = await Promise.all([redis.hset(key, reviewer.name, textOf(reviewer)), redis.pexpire(key, forMs)])
        if (added > 0) await redis.publish(keys.parked(tenant, 'rows'), '')
      },
      /**
       * Removes a reviewer and notifies all open pages of the review desk. Otherwise the reviewer's other pages would
       * make the reviewer available again.
       */
      remove: async (tenant: string, name: string): Promise<void> => {
        if ((await redis.hdel(keys.reviewers(tenant), name)) > 0) await redis.publish(keys.parked(tenant, 'rows'), '')
      },
      available: (tenant: string, now: number) => availableReviewers(redis, tenant, now),
      /** Returns for each assignee the number of assigned drafts in the desk list. */
      assigned: async (tenant: string): Promise<Map<string, number>> => {
        const counts = new Map<string, number>()
        for (const [text, count] of Object.entries(await redis.hgetall(keys.parked(tenant, 'groups')))) {
          const { assignee } = JSON.parse(text) as ParkedGroup
          if (assignee !== undefined) counts.set(assignee, (counts.get(assignee) ?? 0) + Number(count))
        }
        return counts
      },
      /** Reserves drafts for reviewers. Also returns reservations that the desk list does not show as assigned yet. */
      reserve: async (tenant: string, candidates: Candidate[]): Promise<Reservation[]> => {
        const lists = [keys.parked(tenant, 'groups'), keys.parked(tenant, 'rows')]
        const drafts = candidates.map((each) => [memberOf(each), each.reviewers])
        const own = [keys.reviewers(tenant), keys.reservedReviews(tenant)]
        const open = (await scripts.runsReserveParked(...own, ...lists, JSON.stringify(drafts), reservedMs)) as string[]
        return open.flatMap((member, at) => {
          const [runId = '', taskId = ''] = member.split(' ')
          return at % 2 === 0 ? [{ runId, taskId, to: open[at + 1] ?? '' }] : []
        })
      },
      /** Deletes a reservation. Call this after the desk list shows the assignment. */
      settle: async (tenant: string, reservation: Reservation): Promise<void> =>
        void (await redis.hdel(keys.reservedReviews(tenant), memberOf(reservation))),
    }),
  }
}
export type Reviewers = ReturnType<typeof openReviewers>
