import { Controller, Get, Query } from '@nestjs/common'
import { UsageView } from '@plumbline/contracts'
import { z } from 'zod'
import type { Caller } from '../door/api-keys'
import { By } from '../door/caller'
import { Describe } from '../ops/describe'
import { StoreClock } from '../runs/store-clock.service'
import { Budget } from './budget.service'

const UsageQuery = z.strictObject({ day: z.iso.date('write a day as 2026-01-31').optional() })

@Controller('v1/usage')
export class UsageController {
  constructor(
    private readonly budget: Budget,
    private readonly clock: StoreClock,
  ) {}

  @Get()
  @Describe({
    summary: 'What this tenant had models do on a UTC day (today without `day`), and what it cost',
    answers: { 200: UsageView },
  })
  ofDay(@By() caller: Caller, @Query({ schema: UsageQuery }) { day }: z.infer<typeof UsageQuery>): Promise<UsageView> {
    return this.budget.ofDay(caller.tenant, this.clock.now(), day)
  }
}
