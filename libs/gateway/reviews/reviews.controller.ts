import { Body, Controller, Delete, Get, Param, Post, Put, Query, Res } from '@nestjs/common'
import {
  Assignment,
  Availability,
  BulkDecision,
  BulkResult,
  BulkUndo,
  BulkUndone,
  Decision,
  Lease,
  NewNote,
  ReviewList,
  ReviewView,
  RunView,
  TakeWork,
  Undo,
} from '@plumbline/contracts'
import type { FastifyReply } from 'fastify'
import { Audited } from '../audit/audited'
import type { Caller } from '../http/authenticate'
import { CurrentCaller, hasRole } from '../http/caller'
import { RunId } from '../http/request-values'
import { Reviewer } from '../http/caller'
import { Roles } from '../http/caller'
import { Describe } from '../ops/openapi'
import { Runs } from '../runs/runs.service'
import { Assignments } from './assignments.service'
import { Decisions } from './decisions.service'
import { Reviews, ReviewsQuery } from './reviews.service'

const headers = {
  'X-Reviewer':
    'The name of the person who decides. The decision is recorded under this name. Only a key with the role names-reviewers may send this header',
}

const undoneRuns = (answer: unknown): string =>
  (BulkUndone.safeParse(answer).data?.items ?? []).flatMap(({ runId, undone }) => (undone ? [runId] : [])).join(' ')
const decidedRuns = (answer: unknown): string =>
  (BulkResult.safeParse(answer).data?.items ?? []).flatMap(({ runId, decided }) => (decided ? [runId] : [])).join(' ')

@Controller('v1')
export class ReviewsController {
  constructor(
    private readonly reviews: Reviews,
    private readonly decisions: Decisions,
    private readonly assignments: Assignments,
    private readonly runs: Runs,
  ) {}

  @Get('reviews')
  @Roles('reviewer')
  @Describe({
    summary:
      'List the parked runs, sorted by deadline, age or risk, with counts by policy, reason, collection and assignee. The parameter `words` searches question, asker and draft',
    answers: { 200: ReviewList },
    headers,
  })
  list(
    @CurrentCaller() caller: Caller,
    @Reviewer() who: string,
    @Query({ schema: ReviewsQuery }) query: ReviewsQuery,
  ): Promise<ReviewList> {
    return this.reviews.list(caller, who, query)
  }

  @Put('reviews/availability')
  @Roles('reviewer')
  @Describe({
    summary:
      'Take work: up to `atMost` held drafts without a reviewer are assigned to you. After the time `until` of the response, you get no new drafts, unless you send the request again',
    examples: { 'five drafts': { atMost: 5 } },
    answers: { 200: Availability },
    headers,
  })
  takeWork(
    @CurrentCaller() caller: Caller,
    @Reviewer() who: string,
    @Body({ schema: TakeWork }) work: TakeWork,
  ): Promise<Availability> {
    return this.assignments.takeWork(caller, who, work)
  }

  @Delete('reviews/availability')
  @Roles('reviewer')
  @Describe({
    summary:
      'Take no more work. The drafts that were assigned to you automatically return to the list, except drafts that you have open',
    answers: { 204: '' },
    headers,
  })
  stopWork(@CurrentCaller() caller: Caller, @Reviewer() who: string): Promise<void> {
    return this.assignments.stopWork(caller, who)
  }

  @Get('reviews/:runId')
  @Roles('reviewer')
  @Describe({ summary: 'Show a parked draft with its claims, evidence and trace', answers: { 200: ReviewView } })
  view(@CurrentCaller() caller: Caller, @Param('runId', RunId) runId: string): Promise<ReviewView> {
    return this.reviews.view(caller, runId)
  }

  @Post('reviews/:runId/take')
  @Roles('reviewer')
  @Describe({
    summary: 'Claim a parked draft for review. Other reviewers cannot decide it until the lease ends',
    answers: { 200: Lease },
    headers,
    refusals: ['review-stale', 'review-taken'],
  })
  take(@CurrentCaller() caller: Caller, @Reviewer() who: string, @Param('runId', RunId) runId: string): Promise<Lease> {
    return this.reviews.take(caller, runId, who)
  }

  @Post('reviews/:runId/put-back')
  @Roles('reviewer')
  @Describe({
    summary: 'Release a claimed draft, so that other reviewers can take it',
    answers: { 204: '' },
    headers,
    refusals: ['review-stale', 'review-taken'],
  })
  putBack(
    @CurrentCaller() caller: Caller,
    @Reviewer() who: string,
    @Param('runId', RunId) runId: string,
  ): Promise<void> {
    return this.reviews.putBack(caller, runId, who)
  }

  @Post('reviews/:runId/assign')
  @Audited('review.assigned')
  @Roles('reviewer')
  @Describe({
    summary: 'Assign a held run to a reviewer. With null, the run is assigned to nobody',
    refusals: ['review-stale'],
    examples: { assign: { to: 'rita' }, 'assign to nobody': { to: null } },
    answers: { 204: '' },
  })
  assign(
    @CurrentCaller() caller: Caller,
    @Param('runId', RunId) runId: string,
    @Body({ schema: Assignment }) assignment: Assignment,
  ): Promise<void> {
    return this.reviews.assign(caller, runId, assignment)
  }

  @Post('reviews/:runId/notes')
  @Audited('review.noted')
  @Roles('reviewer')
  @Describe({
    summary: 'Add a note to a parked draft. Only reviewers see the note',
    refusals: ['review-stale'],
    examples: { note: { text: 'The figure is of 2019.' } },
    answers: { 204: '' },
    headers,
  })
  addNote(
    @CurrentCaller() caller: Caller,
    @Reviewer() who: string,
    @Param('runId', RunId) runId: string,
    @Body({ schema: NewNote }) note: NewNote,
  ): Promise<void> {
    return this.reviews.addNote(caller, runId, note, who)
  }

  @Post('reviews/:runId/undo')
  @Audited('review.undone')
  @Roles('reviewer', 'asker')
  @Describe({
    summary: 'Undo your own decision before it takes effect',
    refusals: ['review-stale'],
    examples: { undo: { decisionId: 'approve-1' } },
    answers: { 204: '' },
    headers,
  })
  undo(
    @CurrentCaller() caller: Caller,
    @Reviewer() who: string,
    @Param('runId', RunId) runId: string,
    @Body({ schema: Undo }) { decisionId }: Undo,
  ): Promise<void> {
    return this.decisions.undo(caller, runId, decisionId, who)
  }

  @Post('reviews/decisions')
  @Audited('review.decided-many', { targetOf: decidedRuns })
  @Roles('reviewer')
  @Describe({
    summary: 'Approve or reject many parked runs. A problem with one run does not affect the other runs',
    examples: {
      reject: {
        action: 'reject',
        decisionId: 'reject-1',
        items: [{ runId: 'r000000000000000000000000', taskId: 'review.1' }],
      },
    },
    answers: { 200: BulkResult },
    headers,
  })
  decideMany(
    @CurrentCaller() caller: Caller,
    @Reviewer() who: string,
    @Body({ schema: BulkDecision }) decision: BulkDecision,
  ): Promise<BulkResult> {
    return this.decisions.decideMany(caller, decision, who)
  }

  @Post('reviews/undo')
  @Audited('review.undone-many', { targetOf: undoneRuns })
  @Roles('reviewer')
  @Describe({
    summary: 'Undo a pending decision on many parked runs. A problem with one run does not affect the other runs',
    examples: { undo: { decisionId: 'reject-1', runIds: ['r000000000000000000000000'] } },
    answers: { 200: BulkUndone },
    headers,
  })
  undoMany(
    @CurrentCaller() caller: Caller,
    @Reviewer() who: string,
    @Body({ schema: BulkUndo }) undo: BulkUndo,
  ): Promise<BulkUndone> {
    return this.decisions.undoMany(caller, undo, who)
  }

  @Post(['reviews/:runId/decision', 'runs/:runId/decision'])
  @Audited('review.decided')
  @Roles('reviewer', 'asker')
  @Describe({
    summary:
      'Decide a parked run. Reviewers decide; an asker may decide if the policy allows it. The response is 202 if the decision takes effect later (undoMs), or if another person has to approve too',
    examples: {
      approve: { taskId: 'review.1', decisionId: 'approve-1', action: 'approve' },
      edit: { taskId: 'review.1', decisionId: 'edit-1', action: 'edit', text: 'Mars weighs 6.42e23 kg [1].' },
      retry: { taskId: 'review.1', decisionId: 'retry-1', action: 'retry', guidance: 'Name the year.' },
      research: { taskId: 'review.1', decisionId: 'research-1', action: 'research', guidance: 'The mass of Mars' },
      reject: { taskId: 'review.1', decisionId: 'reject-1', action: 'reject' },
    },
    answers: { 200: RunView, 202: RunView },
    refusals: [
      'review-stale',
      'review-overdue',
      'review-taken',
      'decision-pending',
      'second-approval-needed',
      'decision-not-possible',
      'reason-needed',
      'unknown-passage',
    ],
    headers,
  })
  async decide(
    @CurrentCaller() caller: Caller,
    @Reviewer() who: string,
    @Param('runId', RunId) runId: string,
    @Body({ schema: Decision }) decision: Decision,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RunView> {
    const { run, counted } = await this.decisions.decide(caller, runId, decision, who)
    if (!counted) void reply.status(202)
    return this.runs.view(run, hasRole(caller, 'reviewer') ? 'desk' : 'asker')
  }
}
