import { Module, type DynamicModule } from '@nestjs/common'
import { APP_FILTER, APP_GUARD, APP_PIPE, DiscoveryModule } from '@nestjs/core'
import { TerminusModule } from '@nestjs/terminus'
import { AuditController } from './audit/audit.controller'
import { Admission } from './admission/admission.service'
import { AskRates } from './admission/ask-rates.service'
import { ReadRates, ReadsGuard } from './admission/read-rates.service'
import { QueueWatch } from './admission/queue-watch.service'
import { DelegatedCallers } from './admission/delegated-caller.service'
import { AppController } from './app/app.controller'
import { LineAsks } from './batches/ask-lines.service'
import { BatchesController } from './batches/batches.controller'
import { Batches } from './batches/batches.service'
import { BatchRunner } from './batches/batch-runner.service'
import { CollectionsController } from './documents/collections.controller'
import { Collections } from './documents/collections.service'
import { DocumentEvents } from './documents/document-events.service'
import { DocumentsController } from './documents/documents.controller'
import { Documents } from './documents/documents.service'
import { PagesController } from './documents/pages.controller'
import { SearchController } from './documents/search.controller'
import { Searches } from './documents/search.service'
import { CasesController } from './cases/cases.controller'
import { FlagFixes } from './flags/flag-fixes.service'
import { FlagsController } from './flags/flags.controller'
import { Rereads } from './flags/rereads.service'
import { RolesGuard } from './http/caller'
import { ProblemFilter } from './http/problem'
import { ValidPipe } from './http/validate'
import { KeysController } from './keys/keys.controller'
import { Keys } from './keys/keys.service'
import { LiveController } from './live/live.controller'
import { Live } from './live/live.service'
import { Abandoned } from './ops/abandoned.service'
import { Metrics } from './ops/metrics.service'
import { Overviews } from './ops/overview.service'
import { UsualDuration } from './ops/usual-duration.service'
import { QueueDepths } from './ops/queue-depths.service'
import { ScalerController } from './ops/scaler.controller'
import { McpController } from './mcp/mcp.controller'
import { McpCalls } from './mcp/mcp.service'
import { CompletionsController } from './openai/completions.controller'
import { ModelsController } from './openai/models.controller'
import { OperationsController } from './ops/operations.controller'
import { QueuesController } from './ops/queues.controller'
import { OpsController } from './ops/ops.controller'
import { PoliciesController } from './policies/policies.controller'
import { PORTS, type GatewayPorts } from './ports'
import { Scheduler } from './schedules/scheduler.service'
import { SchedulesController } from './schedules/schedules.controller'
import { Schedules } from './schedules/schedules.service'
import { SourcesController } from './sources/sources.controller'
import { Sources } from './sources/sources.service'
import { RulesController } from './rules/rules.controller'
import { TenantRules } from './rules/rules.service'
import { Decisions } from './reviews/decisions.service'
import { DecisionPoller } from './reviews/decision-poller.service'
import { ReviewsController } from './reviews/reviews.controller'
import { Reviews } from './reviews/reviews.service'
import { Asks } from './runs/ask.service'
import { EventsController } from './runs/events.controller'
import { FeedbackController } from './runs/feedback.controller'
import { FeedbackDesk } from './runs/feedback.service'
import { RunEvents } from './runs/run-events.service'
import { RunsController } from './runs/runs.controller'
import { Runs } from './runs/runs.service'
import { StoreClock } from './runs/store-clock.service'
import { ThreadsController } from './runs/threads.controller'
import { Threads } from './runs/threads.service'
import { Budget, UsageController } from './runs/usage'
import { RunWaiter } from './runs/wait-for-run.service'
import { Streams } from './streams/stream'
import { WebhooksController } from './webhooks/webhooks.controller'

const controllers = [
  AppController,
  RunsController,
  BatchesController,
  SchedulesController,
  EventsController,
  FeedbackController,
  ThreadsController,
  ReviewsController,
  CasesController,
  FlagsController,
  DocumentsController,
  PagesController,
  CollectionsController,
  SourcesController,
  LiveController,
  SearchController,
  CompletionsController,
  ModelsController,
  McpController,
  PoliciesController,
  RulesController,
  UsageController,
  OperationsController,
  ScalerController,
  WebhooksController,
  QueuesController,
  KeysController,
  AuditController,
  OpsController,
]

const services = [
  Abandoned,
  Admission,
  AskRates,
  DelegatedCallers,
  Asks,
  Batches,
  Budget,
  Decisions,
  DecisionPoller,
  Collections,
  DocumentEvents,
  BatchRunner,
  FeedbackDesk,
  FlagFixes,
  Documents,
  Keys,
  LineAsks,
  Live,
  McpCalls,
  Metrics,
  Overviews,
  UsualDuration,
  QueueDepths,
  QueueWatch,
  ReadRates,
  Rereads,
  Reviews,
  RunEvents,
  Runs,
  Scheduler,
  Schedules,
  Sources,
  Searches,
  StoreClock,
  Streams,
  TenantRules,
  Threads,
  RunWaiter,
]

@Module({})
export class GatewayModule {
  static with(ports: GatewayPorts): DynamicModule {
    return {
      module: GatewayModule,
      imports: [DiscoveryModule, TerminusModule.forRoot({ logger: false })],
      controllers,
      providers: [
        { provide: PORTS, useValue: ports },
        { provide: APP_FILTER, useClass: ProblemFilter },
        { provide: APP_GUARD, useClass: RolesGuard },
        { provide: APP_GUARD, useClass: ReadsGuard },
        { provide: APP_PIPE, useClass: ValidPipe },
        ...services,
      ],
    }
  }
}
