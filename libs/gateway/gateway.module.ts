import { Module, type DynamicModule } from '@nestjs/common'
import { APP_FILTER, APP_GUARD, APP_PIPE, DiscoveryModule } from '@nestjs/core'
import { TerminusModule } from '@nestjs/terminus'
import { AuditController } from './audit/audit.controller'
import { Admission } from './admission/admission.service'
import { AskRates } from './admission/ask-rates.service'
import { ReadRates, ReadsGuard } from './admission/read-rates.service'
import { QueueWatch } from './admission/queue-watch.service'
import { DelegatedCallers } from './admission/delegated-caller.service'
import { DocumentOrigins, type Feature, type FeatureContext, noOrigins, OfferedFeatures, provide } from './feature'
import { Common, DocumentPorts, KeyPorts, LimitPorts, OpsPorts, ReviewPorts, RunPorts } from './ports'
import type { OpenedPorts } from './open-ports'
import { DecisionHooks } from './reviews/follow-decisions'
import { AppController } from './app/app.controller'
import { CollectionsController } from './documents/collections.controller'
import { Collections } from './documents/collections.service'
import { DocumentEvents } from './documents/document-events.service'
import { DocumentsController } from './documents/documents.controller'
import { Documents } from './documents/documents.service'
import { PagesController } from './documents/pages.controller'
import { SearchController } from './documents/search.controller'
import { Searches } from './documents/search.service'
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
import { OperationsController } from './ops/operations.controller'
import { OpsController } from './ops/ops.controller'
import { PoliciesController } from './policies/policies.controller'
import { RulesController } from './rules/rules.controller'
import { TenantRules } from './rules/rules.service'
import { Assignments } from './reviews/assignments.service'
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

const controllers = [
  AppController,
  RunsController,
  EventsController,
  FeedbackController,
  ThreadsController,
  ReviewsController,
  FlagsController,
  DocumentsController,
  PagesController,
  CollectionsController,
  LiveController,
  SearchController,
  PoliciesController,
  RulesController,
  UsageController,
  OperationsController,
  ScalerController,
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
  Assignments,
  Budget,
  Decisions,
  DecisionPoller,
  Collections,
  DocumentEvents,
  FeedbackDesk,
  FlagFixes,
  Documents,
  Keys,
  Live,
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
  Searches,
  StoreClock,
  Streams,
  TenantRules,
  Threads,
  RunWaiter,
]

@Module({})
export class GatewayModule {
  static with(
    ports: OpenedPorts,
    features: Feature[],
    context: Pick<FeatureContext, 'retentionMs' | 'stop'>,
  ): DynamicModule {
    const { redis, common, runPorts } = ports
    const opened = features.map(({ open }) => open({ ...context, ...common, ...runPorts, redis }))
    return {
      module: GatewayModule,
      imports: [DiscoveryModule, TerminusModule.forRoot({ logger: false })],
      controllers: [...controllers, ...features.flatMap((feature) => feature.controllers)],
      providers: [
        provide(Common, common),
        provide(RunPorts, runPorts),
        provide(ReviewPorts, ports.reviewPorts),
        provide(DocumentPorts, ports.documentPorts),
        provide(LimitPorts, ports.limitPorts),
        provide(KeyPorts, ports.keyPorts),
        provide(OpsPorts, ports.opsPorts),
        provide(OfferedFeatures, {
          names: features.filter((feature) => feature.controllers.length > 0).map(({ name }) => name),
        }),
        provide(DecisionHooks, { all: opened.flatMap(({ onDecision }) => onDecision ?? []) }),
        provide(DocumentOrigins, opened.find(({ origins }) => origins)?.origins ?? noOrigins),
        { provide: APP_FILTER, useClass: ProblemFilter },
        { provide: APP_GUARD, useClass: RolesGuard },
        { provide: APP_GUARD, useClass: ReadsGuard },
        { provide: APP_PIPE, useClass: ValidPipe },
        ...services,
        ...opened.flatMap((feature) => feature.ports),
        ...features.flatMap((feature) => feature.services),
      ],
    }
  }
}
