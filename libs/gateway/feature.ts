import type { Provider, Type } from '@nestjs/common'
import type { RedisClient } from '@plumbline/adapters/redis/client/client'
import type { LedgerEvent, SourceView, WebhookMessage } from '@plumbline/contracts'
import type { Run } from '@plumbline/flow'
import type { Stop } from '@plumbline/platform/stop'
import type { Common, RunPorts } from './ports'

/** Runs after a decision is stored. It may run again with the same decision after a failure. */
export type OnDecision = (run: Run, ledger: LedgerEvent[]) => Promise<void>

export type FeatureContext = Common &
  Pick<RunPorts, 'store'> & {
    redis: RedisClient
    /** How long ended runs are kept, in ms. Undefined means forever. */
    retentionMs: number | undefined
    /** When the gateway stops, closes everything that the feature opened. */
    stop: Stop
  }

/** An event to send to webhooks. `about` identifies the event. `page`: the page of the web app that shows the event. */
export type News = Pick<WebhookMessage, 'type' | 'data'> & {
  tenant: string
  about: string
  at: number
  page?: string
  traceparent?: string | undefined
}

/**
 * Finds the event for an entry of the outbox (the list of events to send). An entry has the form `kind/tenant/rest`,
 * such as `batch/acme/b1`.
 */
export type NewsSource = {
  kind: string
  open(redis: RedisClient): (tenant: string, ...rest: string[]) => Promise<News | null>
}

/** The systems outside from which documents are imported, each with a name. */
export abstract class DocumentOrigins {
  abstract all(tenant: string): Promise<Pick<SourceView, 'name' | 'collection' | 'last'>[]>
  /** Returns the names of the origins that import documents into this collection. */
  abstract ofCollection(tenant: string, collection: string): Promise<string[]>
  /** Requests an import. Returns false if there is no such origin, or if it is being removed. */
  abstract run(tenant: string, name: string): Promise<boolean>
  /** Returns whether an import is requested or in progress. */
  abstract isRunning(tenant: string, name: string): Promise<boolean>
}

export const noOrigins: DocumentOrigins = {
  all: () => Promise.resolve([]),
  ofCollection: () => Promise.resolve([]),
  run: () => Promise.resolve(false),
  isRunning: () => Promise.resolve(false),
}

/** An optional part of the gateway. The core never imports a feature. At most one feature provides origins. */
export type Feature = {
  name: string
  controllers: Type[]
  services: Type[]
  open(context: FeatureContext): { ports: Provider[]; onDecision?: OnDecision; origins?: DocumentOrigins }
}

export abstract class OfferedFeatures {
  abstract readonly names: string[]
}

/** Lets Nest inject `ports` into each constructor that has a parameter of the class `name`. */
export const provide = <Ports>(name: abstract new () => Ports, ports: Ports): Provider => ({
  provide: name,
  useValue: ports,
})

export const routesOnly = (name: string, controllers: Type[], services: Type[] = []): Feature => ({
  name,
  controllers,
  services,
  open: () => ({ ports: [] }),
})
