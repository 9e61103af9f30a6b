import { Module, type DynamicModule, type ValueProvider } from '@nestjs/common'
import { APP_FILTER, APP_PIPE, DiscoveryModule } from '@nestjs/core'
import type { IngestQueue } from '@plumbline/adapters/bullmq'
import type { DocumentFiles } from '@plumbline/adapters/files'
import type { RedisCatalog, RedisClient, Spending } from '@plumbline/adapters/redis'
import type { Log } from '@plumbline/platform/log'
import type { JobQueue } from '@plumbline/ports/job-queue'
import type { RunStore } from '@plumbline/ports/run-store'
import type { Registry } from 'prom-client'
import { Collections } from './documents/collections.service'
import { CollectionsController } from './documents/collections.controller'
import { DocumentEvents } from './documents/document-events.service'
import { DocumentHub } from './documents/document-hub.service'
import { DocumentsController } from './documents/documents.controller'
import { Documents, type RemovePassages } from './documents/documents.service'
import { ProblemFilter } from './door/problem.filter'
import { ValidPipe } from './door/valid.pipe'
import { EventsController } from './events/events.controller'
import { RunEvents } from './events/run-events.service'
import { StreamRoom } from './events/stream-room.service'
import { Metrics } from './ops/metrics.service'
import { OpsController } from './ops/ops.controller'
import { QueueDepths } from './ops/queue-depths.service'
import { PoliciesController } from './policies/policies.controller'
import type { PolicyBook } from './policies/policy-book'
import {
  CATALOG,
  FILES,
  INGEST,
  JOBS,
  LOG,
  POLICIES,
  REDIS,
  REGISTRY,
  REMOVE,
  SETTINGS,
  SPENDING,
  STORE,
} from './ports'
import { Leases } from './reviews/leases.service'
import { ReviewsController } from './reviews/reviews.controller'
import { Reviews } from './reviews/reviews.service'
import { FeedbackBox } from './runs/feedback.service'
import { Intake } from './runs/intake.service'
import { Moves } from './runs/moves.service'
import { Prepare } from './runs/prepare.service'
import { RunHub } from './runs/run-hub.service'
import { RunsController } from './runs/runs.controller'
import { Runs } from './runs/runs.service'
import { StoreClock } from './runs/store-clock.service'
import { Threads } from './runs/threads.service'
import { Waiting } from './runs/waiting.service'
import { UsageController } from './usage/usage.controller'
import { Budget } from './usage/budget.service'
import type { Settings } from './settings'

export type GatewayPorts = {
  store: RunStore
  queue: JobQueue
  catalog: RedisCatalog
  files: DocumentFiles
  ingest: IngestQueue
  removePassages: RemovePassages
  redis: RedisClient
  log: Log
  registry: Registry
  policies: PolicyBook
  spending: Spending
  settings: Settings
}

const controllers = [
  RunsController,
  EventsController,
  ReviewsController,
  DocumentsController,
  CollectionsController,
  PoliciesController,
  UsageController,
  OpsController,
]

const services = [
  Budget,
  Collections,
  DocumentEvents,
  DocumentHub,
  Documents,
  FeedbackBox,
  Intake,
  Leases,
  Metrics,
  Moves,
  Prepare,
  QueueDepths,
  Reviews,
  RunEvents,
  RunHub,
  Runs,
  StoreClock,
  StreamRoom,
  Threads,
  Waiting,
]

/** The mark by which services ask for each port. */
const marks: Record<keyof GatewayPorts, symbol> = {
  store: STORE,
  queue: JOBS,
  catalog: CATALOG,
  files: FILES,
  ingest: INGEST,
  removePassages: REMOVE,
  redis: REDIS,
  log: LOG,
  registry: REGISTRY,
  policies: POLICIES,
  spending: SPENDING,
  settings: SETTINGS,
}

const given = (ports: GatewayPorts): ValueProvider[] =>
  Object.entries(marks).map(([port, provide]) => ({ provide, useValue: ports[port as keyof GatewayPorts] }))

@Module({})
export class GatewayModule {
  static with(ports: GatewayPorts): DynamicModule {
    return {
      module: GatewayModule,
      imports: [DiscoveryModule],
      controllers,
      providers: [
        ...given(ports),
        { provide: APP_FILTER, useClass: ProblemFilter },
        { provide: APP_PIPE, useClass: ValidPipe },
        ...services,
      ],
    }
  }
}
