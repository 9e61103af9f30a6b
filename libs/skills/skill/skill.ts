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
  lastRung?: 'offline' | 'none'
  onCall?: (call: ModelCall) => void
  /** Makes only one provider call, without a retry or a fallback. */
  once?: boolean
}

export type Skill<In, Out> = (input: In, call: Call) => Promise<Out>

/** `made`: the description is generated from the titles and headings of all documents (`whole`) or of some (`part`). */
export type CollectionCard = { name: string; description: string; made?: 'whole' | 'part' }

export type ThreadTurn = { question: string; text: string }
/** The earlier turns of the conversation, without anything that the asker may not read. */
export type Thread = {
  turns: ThreadTurn[]
  summary?: string
  /** True if the last turn asked the asker for a clarification. */
  askedBack: boolean
  hasPassages: boolean
}

/**
 * The question that the router decides. `scope`: do the collections cover the message? `index-or-web`: should the
 * documents or the web be searched? `retrieve-or-not`: should anything be searched?
 */
export type RouteMode = 'scope' | 'index-or-web' | 'retrieve-or-not'

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
    lookups?: LookupCard[]
    thread?: Thread
  },
  {
    to: RouteTo
    logic: string
    collections: string[]
    /** The question without references to the thread. Absent if the message is already complete. */
    question?: string
    /** The summary of the thread. Present only if the thread is too long to show in full. */
    summary?: string
    /** True if a single search answers the question, so that no plan is needed. */
    simple?: boolean
    queries?: string[]
    title?: string
    knowledge?: boolean
    /** The data sources (lookups) that the router chose. Absent if there were none to choose from. */
    lookups?: string[]
  }
>

export type StandaloneQuestion = Skill<
  { question: string; thread: Thread },
  Pick<Awaited<ReturnType<Route>>, 'question' | 'summary'>
>

export type Plan = Skill<
  { question: string; collections: CollectionCard[]; maxSteps: number; queries: number; lookups?: LookupCard[] },
  { logic: string; steps: PlannedStep[] }
>

export type FailedPassage = { text: string; title: string; level?: string; reason?: string }

/** Returns null if there is no new query. Never returns a query that was tried before. */
export type RetryQuery = Skill<
  { question: string; triedQueries: string[]; failedPassages: FailedPassage[]; reason: string },
  { query: string; strategy: Strategy; reason: string } | null
>

export type Strictness = 'lenient' | 'normal' | 'strict'

/** Returns the grades in the order of the passages. */
export type GradeEvidence = Skill<
  { question: string; passages: Evidence[]; strictness: Strictness; against: 'step' | 'query' },
  Grade[]
>

/** Returns parts of the passage in order and word for word. */
export type RefineEvidence = Skill<{ question: string; passage: Passage }, string[]>

/** In a written text, each sentence, list item and table row ends with citations such as `[1][3]`. */
export type Drafted =
  | { kind: 'written'; text: string; citations: CitedPassage[]; workings?: Working[]; quotes?: QuotedPlace[] }
  | { kind: 'quoted'; quotes: QuotedPlace[]; missing?: string[]; degraded?: boolean }
  | { kind: 'refused'; reason: string }

export type Distant = { kind: 'distant' }

/** The beginning of a draft, which later text cannot change. Calculations are replaced by their results. */
export type DraftPart = {
  text: string
  citations: CitedPassage[]
  workings: Working[]
  /** The offsets at which the text may be cut: the ends of sentences, lists, tables or code blocks. */
  ends: number[]
}

export type Answer = Skill<
  {
    question: string
    /** Each step has the ids of its own passages. A question without a plan is one step. */
    steps: { question: string; passageIds: string[] }[]
    evidence: Evidence[]
    /** The asker's own words, if the question is a follow-up. They may omit the subject. */
    followUp?: string
    maxSentences: number
    /** `keep`: the supported claims of the last draft. `avoid`: its failed claims with the reasons. */
    keep?: string[]
    avoid?: Claim[]
    guidance?: string
    /** Writes one draft for each passage, ranks the drafts and joins the best. */
    perPassage?: boolean
    onDelta?: (text: string) => void
    onPart?: (part: DraftPart) => void
    /**
     * Stops showing checked parts before the whole draft is checked. Returns true if the asker has already seen a part.
     * The draft must then keep that part, so it is not shortened.
     */
    endParts?: () => Promise<boolean>
    /** The beginning that the asker has already seen. The draft contains only what follows. */
    begun?: string
    /** The passage ids by citation number. All prompts and drafts of a run use the same numbers. */
    numbers?: readonly string[]
  },
  Drafted | Distant
>

/** Returns a short answer, which is inserted into the question of a later step. */
export type ShortAnswer = Skill<{ question: string; evidence: Evidence[] }, string | null>

/** `written`: a model wrote the text. `refused`: why the model refused to write; the text is then empty. */
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

/** Checks the claims after the first `known` claims. Returns those before the first one that is not supported. */
export type CheckPart = Skill<
  Omit<Parameters<Check>[0], 'checked' | 'onPassed'> & { known: number },
  { claims: Claim[]; key: string }
>

export type Check = Skill<
  {
    question: string
    steps: string[]
    text: string
    citations: CitedPassage[]
    /** All passages that were found, including those that the draft does not cite. */
    evidence: Evidence[]
    /** If missing, the passages are numbered in the order of `evidence`. */
    numbers?: readonly string[]
    collections?: CollectionCard[]
    workings?: Working[]
    /** The claims of an earlier check. Their verdicts are reused only if their key equals the key of this check. */
    checked?: { claims: Claim[]; key: string }
    /** Called with the first claims that may be released, before the rest of the draft is rated. */
    onPassed?: (claims: Claim[], key: string) => void
  },
  Checked
>

export type FilledLookup = { name: string; values: Record<string, string> }

export type FillLookup = Skill<
  {
    question: string
    lookups: LookupCard[]
    /** True if the lookups were already selected, so that the question need only give the values. */
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
