import { Injectable } from '@nestjs/common'
import type { FlagRow } from '@plumbline/adapters/redis/flags/flags'
import type { Caller } from '../http/authenticate'
import { ReviewPorts } from '../ports'
import { iso } from '../present/answer'
import { Asks } from '../runs/ask.service'
import { collectionsAgain } from '../runs/collections-again'
import { StoreClock } from '../runs/store-clock.service'

const askOf = ({ id, question, policy, collections, named, access, filters }: FlagRow) => ({
  question,
  policy,
  repeats: true,
  ...collectionsAgain({ collections, named }),
  ...(access !== undefined && access !== 'all' && { access }),
  ...(filters && { filters }),
  metadata: { fixes: id },
})

@Injectable()
export class FlagFixes {
  constructor(
    private readonly reviewPorts: ReviewPorts,
    private readonly asks: Asks,
    private readonly clock: StoreClock,
  ) {}

  /** The run id is derived from the flag, so a repeated request creates no second run. */
  async askAgain(caller: Caller, row: FlagRow, { by, note }: { by: string; note?: string | undefined }): Promise<void> {
    const run = await this.asks.ask(caller, askOf(row), `fix\0${row.id}`)
    const at = this.clock.now()
    const fix = { runId: run.id, by, at: iso(at), ...(note && { note }) }
    await this.reviewPorts.flags.put(caller.tenant, { ...row, status: 'fixed', fix }, at)
  }
}
