import type {
  Checked,
  CitedPassage,
  Claim,
  Evidence,
  Grade,
  ModelCall,
  Passage,
  PlannedStep,
  QuotedPlace,
  RouteTo,
  Strategy,
  Working,
} from '@plumbline/contracts'
import type { LookupCard } from '@plumbline/ports/lookup'

export type Call = {
  signal: AbortSignal
  tier: 'small' | 'strong'
  temperature: number
  /** The fallback if no provider answers: the offline form of the skill (the default), or none. */
  lastRung?: 'offline' | 'none'
  onCall?: (call: ModelCall) => void
  /** Makes one provider call only. A failed call is neither retried nor replaced. */
  once?: boolean
}

export type Skill<In, Out> = (input: In, call: Call) => Promise<Out>

/** `made`: generated from the titles and headings of all documents (`whole`) or some (`part`). */
export type CollectionCard = { name: string; description: string; made?: 'whole' | 'part' }

export type ThreadTurn = { question: string; text: string }
/** A thread contains only what this asker may read. */
export type Thread = {
  turns: ThreadTurn[]
  summary?: string
  /** True if the last turn was a clarifying question to the asker. */
  askedBack: boolean
  hasPassages: boolean
}

/**
 * `scope`: do the collections cover the message? `index-or-web`: do they describe the subject, or else the web?
 * `retrieve-or-not`: does it need documents?
 */
export type RouteMode = 'scope' | 'index-or-web' | 'retrieve-or-not'

/** Chooses the route, makes a follow-up standalone, and writes the queries of a simple question. */
export type Route = Skill<
  {
    question: string
    collections: CollectionCard[]
    webOn: boolean
    mode: RouteMode
    /** The number of queries to write in addition to the question itself. */
    queries: number
    /** True if a reply may also state common knowledge. */
    knowledge: boolean
    /** The lookups that the run may use. */
    lookups?: LookupCard[]
    thread?: Thread
  },
  {
    to: RouteTo
    logic: string
    collections: string[]
    /** The standalone question. Absent if the message is already complete. */
    question?: string
    /** The summary of the thread. Present if the thread has more turns than a prompt shows in full. */
    summary?: string
    /** True if a single search answers the question, so that no plan is needed. */
    simple?: boolean
    queries?: string[]
    title?: string
    knowledge?: boolean
    /** The names of the lookups that fit the question. Absent if lookups were not chosen. */
    lookups?: string[]
  }
>

/** Makes a follow-up standalone without choosing a route. */
export type StandaloneQuestion = Skill<
  { question: string; thread: Thread },
  Pick<Awaited<ReturnType<Route>>, 'question' | 'summary'>
>

/** Names lookups for each step only if the input has lookups. */
export type Plan = Skill<
  { question: string; collections: CollectionCard[]; maxSteps: number; queries: number; lookups?: LookupCard[] },
  { logic: string; steps: PlannedStep[] }
>

/** A passage that was graded as irrelevant. Has the grade level and the reason if they are known. */
export type FailedPassage = { text: string; title: string; level?: string; reason?: string }

/** Never returns a query that was tried. Returns null if no new query is found. */
export type RetryQuery = Skill<
  { question: string; triedQueries: string[]; failedPassages: FailedPassage[]; reason: string },
  { query: string; strategy: Strategy; reason: string } | null
>

export type Strictness = 'lenient' | 'normal' | 'strict'

/** Grades all passages of a step. Returns the grades in the order of the passages. */
export type GradeEvidence = Skill<
  { question: string; passages: Evidence[]; strictness: Strictness; against: 'step' | 'query' },
  Grade[]
>

/** Selects the strips of a passage that are relevant to the question. Returns them in order and word for word. */
export type RefineEvidence = Skill<{ question: string; passage: Passage }, string[]>

/** Each sentence, list item and table row ends with its citations, such as `[1][3]`, which refer to `citations`. */
export type Drafted =
  | { kind: 'written'; text: string; citations: CitedPassage[]; workings?: Working[]; quotes?: QuotedPlace[] }
  | { kind: 'quoted'; quotes: QuotedPlace[]; missing?: string[]; degraded?: boolean }
  | { kind: 'refused'; reason: string }

export type Distant = { kind: 'distant' }

/** The part of an unfinished draft that further text cannot change, with its calculations worked out. */
export type DraftPart = {
  text: string
  citations: CitedPassage[]
  workings: Working[]
  /** The offsets at which the text may be released: each ends a sentence, list, table or code block. */
  ends: number[]
}

export type Answer = Skill<
  {
    question: string
    /** The steps' questions in order, each with the ids of its evidence. A question without a plan has one step. */
    steps: { question: string; passageIds: string[] }[]
    evidence: Evidence[]
    /** True if the thread has an earlier question. A follow-up may omit its subject. */
    followUp?: boolean
    maxSentences: number
    /** `keep`: the supported claims of the last draft. `avoid`: its failed claims with the reasons. */
    keep?: string[]
    avoid?: Claim[]
    guidance?: string
    /** True to write one draft for each passage, rank the drafts, and join the best. */
    perPassage?: boolean
    onDelta?: (text: string) => void
    /** Called each time a longer part of the draft can no longer change. */
    onPart?: (part: DraftPart) => void
    /** Ends the release of parts. Returns whether the reader has a part. Such a draft is not shortened. */
    endParts?: () => Promise<boolean>
    /** The text that the reader has already. The draft is only its continuation, and is empty if nothing is missing. */
    begun?: string
    /** The ids of the run's passages by number, which are the same in every prompt and draft of the run. */
    numbers?: readonly string[]
  },
  Drafted | Distant
>

/** A few words for the question of the step that waits for the result, or null. */
export type ShortAnswer = Skill<{ question: string; evidence: Evidence[] }, string | null>

/** `written`: a model wrote the reply. `refused`: the model's reason. `text` is empty then. */
export type Reply = Skill<
  {
    question: string
    to: 'general' | 'clarify' | 'narrow' | 'decline' | 'knowledge'
    logic: string
    collections: CollectionCard[]
    dimensions?: string[]
  },
  { text: string; written?: boolean; refused?: string }
>

/** Skips the first `known` claims. Returns the claims up to the first that must wait, and the key of the check. */
export type CheckPart = Skill<
  Omit<Parameters<Check>[0], 'checked' | 'onPassed'> & { known: number },
  { claims: Claim[]; key: string }
>

/** Judges each claim against the passages it cites, and rates the draft against the question. */
export type Check = Skill<
  {
    question: string
    steps: string[]
    text: string
    citations: CitedPassage[]
    /** All passages that were found, including those that the draft does not cite. */
    evidence: Evidence[]
    /** The ids of the run's passages by number. Without them, the evidence is numbered in its order. */
    numbers?: readonly string[]
    /** The descriptions of the collections, if the evidence is from several. */
    collections?: CollectionCard[]
    workings?: Working[]
    /** Reused only if the key is the same. */
    checked?: { claims: Claim[]; key: string }
    /** Receives the first claims that may be released, before the check has rated the whole draft. */
    onPassed?: (claims: Claim[], key: string) => void
  },
  Checked
>

export type FilledLookup = { name: string; values: Record<string, string> }

/** Returns the lookups that the question is about and for which it gives all values. */
export type FillLookup = Skill<
  {
    question: string
    lookups: LookupCard[]
    /** True if a rule, the router or the planner selected the lookups. The question need only give the values then. */
    isChosen?: boolean
  },
  FilledLookup[]
>

/** `passages` are in document order. */
export type Summarise = Skill<
  { question: string; passages: Evidence[]; maxSentences: number; onDelta?: (text: string) => void },
  Drafted
>

export type Skills = {
  readonly label: string
  route: Route
  standaloneQuestion: StandaloneQuestion
  plan: Plan
  rewriteQuery: RetryQuery
  gradeEvidence: GradeEvidence
  refineEvidence: RefineEvidence
  answer: Answer
  shortAnswer: ShortAnswer
  reply: Reply
  check: Check
  checkPart: CheckPart
  fillLookup: FillLookup
  summarise: Summarise
}
