import type { RouteTo } from '@plumbline/contracts'
import type { Skill } from '../skill'

export type CollectionCard = { name: string; description: string }
export type Route = Skill<
  { question: string; collections: CollectionCard[]; webOn: boolean },
  /** `simple`: one step answers the question, so that it needs no plan. */
  { to: RouteTo; logic: string; collections: string[]; simple?: boolean }
>
