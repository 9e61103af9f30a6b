import { Controller, Get, Param } from '@nestjs/common'
import { ScaledQueue, ScalerView } from '@plumbline/contracts'
import { Roles } from '../http/caller'
import { notFound } from '../http/problem'
import { Describe } from './openapi'
import { QueueDepths } from './queue-depths.service'

const Queue = {
  transform: (queue: string): ScaledQueue => {
    const known = ScaledQueue.safeParse(queue)
    if (!known.success) throw notFound('queue')
    return known.data
  },
}

@Controller('v1/scaler')
export class ScalerController {
  constructor(private readonly depths: QueueDepths) {}

  @Get(':queue')
  @Roles('operator')
  @Describe({
    summary: 'Count the open tasks of a queue, for an autoscaler of its workers',
    answers: { 200: ScalerView },
  })
  of(@Param('queue', Queue) queue: ScaledQueue): Promise<ScalerView> {
    return this.depths.scaler(queue)
  }
}
