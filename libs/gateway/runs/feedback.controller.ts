import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common'
import { Feedback, FeedbackList, RunFeedback } from '@plumbline/contracts'
import { z } from 'zod'
import type { Caller } from '../http/authenticate'
import { CurrentCaller, Roles } from '../http/caller'
import { RunId } from '../http/request-values'
import { cursor, limitOfPage } from '../http/validate'
import { Describe } from '../ops/openapi'
import { FeedbackDesk } from './feedback.service'

const FeedbackQuery = z.strictObject({ cursor, limit: limitOfPage, useful: z.stringbool().optional() })
type FeedbackQuery = z.infer<typeof FeedbackQuery>

@Controller('v1')
export class FeedbackController {
  constructor(private readonly desk: FeedbackDesk) {}

  @Post('runs/:id/feedback')
  @Roles('asker')
  @Describe({
    summary: 'Give feedback: state whether an answer was useful',
    examples: {
      'the answer was useful': { useful: true },
      'the answer was not useful': { useful: false, note: 'The figure is from 2019.' },
    },
    answers: { 204: '' },
  })
  put(
    @CurrentCaller() caller: Caller,
    @Param('id', RunId) id: string,
    @Body({ schema: Feedback }) feedback: Feedback,
  ): Promise<void> {
    return this.desk.put(caller, id, feedback)
  }

  @Get('runs/:id/feedback')
  @Describe({ summary: 'List the feedback on the answer of a run', answers: { 200: RunFeedback } })
  of(@CurrentCaller() caller: Caller, @Param('id', RunId) id: string): Promise<RunFeedback> {
    return this.desk.of(caller, id)
  }

  @Get('feedback')
  @Roles('reviewer')
  @Describe({
    summary:
      'List the runs with feedback, newest feedback first. A page may have fewer runs than the limit and still not be the last page',
    answers: { 200: FeedbackList },
  })
  list(@CurrentCaller() caller: Caller, @Query({ schema: FeedbackQuery }) query: FeedbackQuery): Promise<FeedbackList> {
    return this.desk.list(caller, query)
  }
}
