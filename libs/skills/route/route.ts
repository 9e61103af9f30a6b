import type { RouteTo } from '@plumbline/contracts'
import type { Skill } from '../skill'

/** `made`: nobody wrote the description; it is made of titles and headings, of all of them or of a part. */
export type CollectionCard = { name: string; description: string; made?: 'whole' | 'part' }

/**
 * What there is to decide. `scope`: is this what the collections are for, does it need the web, is it too vague? `index-or-web`: the
 * collections for what they describe, the web for all else. `retrieve-or-not`: does it need documents at all?
 */
export type RouteMode = 'scope' | 'index-or-web' | 'retrieve-or-not'

export type Route = Skill<
  {
    question: string
    collections: CollectionCard[]
    webOn: boolean
    mode?: RouteMode
    /** What the thread's last run asked and answered from passages: with these it may be gone on (`retrieve-or-not`). */
    thread?: { question: string; text: string }
  },
  /** `simple`: one step answers the question, so that it needs no plan. */
  { to: RouteTo; logic: string; collections: string[]; simple?: boolean }
>
