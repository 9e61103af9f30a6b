import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common'
import { Flag, FlagList, NewFix } from '@plumbline/contracts'
import type { Caller } from '../http/authenticate'
import { By, Reviewer, Roles } from '../http/caller'
import { RunId } from '../http/request-values'
import { Describe } from '../ops/openapi'
import { Flags, FlagsQuery } from './flags.service'

@Controller('v1/flags')
export class FlagsController {
  constructor(private readonly flags: Flags) {}

  @Get()
  @Roles('reviewer')
  @Describe({
    summary: 'Answers that somebody called of no use, newest first, with the owners of their collections',
    answers: { 200: FlagList },
  })
  list(@By() caller: Caller, @Query({ schema: FlagsQuery }) query: FlagsQuery): Promise<FlagList> {
    return this.flags.list(caller, query)
  }

  @Post(':id/fix')
  @HttpCode(200)
  @Roles('reviewer')
  @Describe({
    summary: 'Ask the question of a flagged answer again, once its documents are in order',
    examples: { 'with a note': { note: 'The figures of 2024 are in now.' } },
    answers: { 200: Flag },
  })
  fix(
    @By() caller: Caller,
    @Reviewer() who: string,
    @Param('id', RunId) id: string,
    @Body({ schema: NewFix }) fix: NewFix,
  ): Promise<Flag> {
    return this.flags.fix(caller, id, fix, who)
  }
}
