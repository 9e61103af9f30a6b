import { Body, Controller, Get, Put } from '@nestjs/common'
import { NewRules, RulesView } from '@plumbline/contracts'
import { Audited } from '../audit/audited'
import type { Caller } from '../http/authenticate'
import { CurrentCaller, Roles } from '../http/caller'
import { Describe } from '../ops/openapi'
import { TenantRules } from './rules.service'

@Controller('v1/rules')
export class RulesController {
  constructor(private readonly rules: TenantRules) {}

  @Get()
  @Roles('admin')
  @Describe({
    summary: 'Show the rules of this tenant: which answers are held, and for how long',
    answers: { 200: RulesView },
  })
  get(@CurrentCaller() { tenant }: Caller): Promise<RulesView> {
    return this.rules.view(tenant)
  }

  @Put()
  @Audited('rules.changed')
  @Roles('admin')
  @Describe({
    summary: 'Change the rules. They apply to all questions asked from now on',
    examples: {
      'a sample of 2 %, decided within eight working hours': {
        version: 0,
        hold: { everything: false, samplePercent: 2, collections: [], words: ['notice period'] },
        deadline: {
          minutes: 480,
          hours: {
            timeZone: 'Europe/Berlin',
            days: ['mon', 'tue', 'wed', 'thu', 'fri'],
            from: '09:00',
            to: '17:00',
          },
          then: 'refuse',
        },
      },
    },
    answers: { 200: RulesView },
    refusals: ['rules-changed'],
  })
  put(@CurrentCaller() caller: Caller, @Body({ schema: NewRules }) rules: NewRules): Promise<RulesView> {
    return this.rules.put(caller, rules)
  }
}
