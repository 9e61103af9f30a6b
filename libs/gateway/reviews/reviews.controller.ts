import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common'
import { Decision, Lease, ReviewList, ReviewView, RunView } from '@plumbline/contracts'
import type { Caller } from '../door/api-keys'
import { By, For, has } from '../door/caller'
import { checkId } from '../door/ids'
import { Reviewer } from '../door/reviewer'
import { Describe } from '../ops/describe'
import { ReviewsQuery } from '../runs/run-requests'
import { Runs } from '../runs/runs.service'
import { Reviews } from './reviews.service'

const headers = { 'X-Reviewer': 'Who decides, where several people share a key' }

@Controller('v1')
export class ReviewsController {
  constructor(
    private readonly reviews: Reviews,
    private readonly runs: Runs,
  ) {}

  @Get('reviews')
  @For('reviewer')
  @Describe({ summary: 'Parked runs, the oldest first', answers: { 200: ReviewList } })
  list(@By() caller: Caller, @Query({ schema: ReviewsQuery }) query: ReviewsQuery): Promise<ReviewList> {
    return this.reviews.list(caller, query)
  }

  @Get('reviews/:runId')
  @For('reviewer')
  @Describe({ summary: 'A parked draft with its claims, evidence and trace', answers: { 200: ReviewView } })
  view(@By() caller: Caller, @Param('runId') runId: string): Promise<ReviewView> {
    return this.reviews.view(caller, checkId('run', runId))
  }

  @Post('reviews/:runId/take')
  @HttpCode(200)
  @For('reviewer')
  @Describe({ summary: 'Open a parked draft; the lease ends by itself', answers: { 200: Lease }, headers })
  take(@By() caller: Caller, @Reviewer() who: string, @Param('runId') runId: string): Promise<Lease> {
    return this.reviews.take(caller, checkId('run', runId), who)
  }

  @Post('reviews/:runId/put-back')
  @HttpCode(204)
  @For('reviewer')
  @Describe({ summary: 'Give a draft back to the others', answers: { 204: '' }, headers })
  putBack(@By() caller: Caller, @Reviewer() who: string, @Param('runId') runId: string): Promise<void> {
    return this.reviews.putBack(caller, checkId('run', runId), who)
  }

  @Post(['reviews/:runId/decision', 'runs/:runId/decision'])
  @HttpCode(200)
  @For('reviewer', 'asker')
  @Describe({
    summary: 'Decide a parked run; an asker may where the policy lets the asker decide',
    answers: { 200: RunView },
    headers,
  })
  async decide(
    @By() caller: Caller,
    @Reviewer() who: string,
    @Param('runId') runId: string,
    @Body({ schema: Decision }) decision: Decision,
  ): Promise<RunView> {
    const run = await this.reviews.decide(caller, checkId('run', runId), decision, who)
    return this.runs.view(run, has(caller, 'reviewer') ? 'desk' : 'asker')
  }
}
