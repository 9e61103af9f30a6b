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
  /** Makes only one provider call, without a retry or a fallback. */
  once?: boolean
}

export type Skill<In, Out> = (input: In, call: Call) => Promise<Out>

/**
 * `made`: the description was generated from the titles and headings of all documents (`whole`) or of some (`part`).
 */
export type CollectionCard = { name: string; description: string; made?: 'whole' | 'part' }

export type ThreadTurn = { question: string; text: string }
/** The earlier turns of a conversation, without anything that the asker may not read. */
export type Thread = {
  turns: ThreadTurn[]
  summary?: string
  /** True if the last turn was a clarifying question to the asker. */
  askedBack: boolean
  hasPassages: boolean
}

/**
 * The question that the router decides. `scope`: do the collections cover the message? `index-or-web`: documents or
 * web? `retrieve-or-not`: are documents needed?
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
    /** The data sources (lookups) that the run may query. */
    lookups?: LookupCard[]
    thread?: Thread
  },
  {
    to: RouteTo
    logic: string
    collections: string[]
    /** The standalone question. Absent if the message is already complete. */
    question?: string
    /** A summary of the thread. Present only if the thread is too long to show in full. */
    summary?: string
    /** True if a single search answers the question, so that no plan is needed. */
    simple?: boolean
    queries?: string[]
    title?: string
    knowledge?: boolean
    /** The names of the lookups that fit the question. Absent if there was no choice. */
    lookups?: string[]
  }
>

/** Makes a follow-up standalone without choosing a route. */
export type StandaloneQuestion = Skill<
  { question: string; thread: Thread },
  Pick<Awaited<ReturnType<Route>>, 'question' | 'summary'>
>

/** Splits a question into steps. Steps name lookups only if the input has lookups. */
export type Plan = Skill<
  { question: string; collections: CollectionCard[]; maxSteps: number; queries: number; lookups?: LookupCard[] },
  { logic: string; steps: PlannedStep[] }
>

/** A passage that was graded as irrelevant. Has the grade level and the reason if they are known. */
export type FailedPassage = { text: string; title: string; level?: string; reason?: string }

/** Returns another search query, or null. Never returns a query that was tried before. */
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

/** Selects the parts (strips) of a passage that are relevant to the question, in order and word for word. */
export type RefineEvidence = Skill<{ question: string; passage: Passage }, string[]>

/**
 * A draft of an answer. In a written text, each sentence, list item and table row ends with citations such as `[1][3]`.
 */
export type Drafted =
  | { kind: 'written'; text: string; citations: CitedPassage[]; workings?: Working[]; quotes?: QuotedPlace[] }
  | { kind: 'quoted'; quotes: QuotedPlace[]; missing?: string[]; degraded?: boolean }
  | { kind: 'refused'; reason: string }

export type Distant = { kind: 'distant' }

/** The beginning of an unfinished draft that further text cannot change. Calculations are replaced by their results. */
export type DraftPart = {
  text: string
  citations: CitedPassage[]
  workings: Working[]
  /** The offsets at which the text may be cut for release: the ends of sentences, lists, tables or code blocks. */
  ends: number[]
}

export type Answer = Skill<
  {
    question: string
    /**
     * The questions of the steps in order, each with the ids of its evidence. A question without a plan is one step.
     */
    steps: { question: string; passageIds: string[] }[]
    evidence: Evidence[]
    /** True if the question follows another one in the thread, so that it may omit its subject. */
    followUp?: boolean
    maxSentences: number
    /** `keep`: the supported claims of the last draft. `avoid`: its failed claims with the reasons. */
    keep?: string[]
    avoid?: Claim[]
    guidance?: string
    /** If true, writes one draft for each passage, ranks the drafts and joins the best. */
    perPassage?: boolean
    onDelta?: (text: string) => void
    /** Called when a longer beginning of the draft is final. */
    onPart?: (part: DraftPart) => void
    /**
     * Stops the early release of parts. Returns whether the reader has seen a part, because then the draft is not
     * shortened.
     */
    endParts?: () => Promise<boolean>
    /** The beginning that the reader has already seen. The draft contains only what follows, and may be empty. */
    begun?: string
    /** The passage ids by citation number. All prompts and drafts of a run use the same numbers. */
    numbers?: readonly string[]
  },
  Drafted | Distant
>

/** Returns a few words to insert into the question of a waiting step, or null. */
export type ShortAnswer = Skill<{ question: string; evidence: Evidence[] }, string | null>

/**
 * Writes a reply without documents. `written`: a model wrote it. `refused`: why the model refused; `text` is then
 * empty.
 */
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

/**
 * Checks the claims of a draft after the first `known` ones. Returns the claims before the first doubtful one, and the
 * check's key.
 */
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
    /** The passage ids by citation number. If missing, the evidence is numbered in its own order. */
    numbers?: readonly string[]
    /** The descriptions of the collections, if the evidence comes from several. */
    collections?: CollectionCard[]
    workings?: Working[]
    /** The result of an earlier check. Used only if its key equals that of this check. */
    checked?: { claims: Claim[]; key: string }
    /** Called with the first claims that may be released, before the rest of the draft is rated. */
    onPassed?: (claims: Claim[], key: string) => void
  },
  Checked
>

export type FilledLookup = { name: string; values: Record<string, string> }

/** Selects the lookups that fit the question, and fills all their parameters. */
export type FillLookup = Skill<
  {
    question: string
    lookups: LookupCard[]
    /** True if the lookups were already selected, so that the question need only give the values. */
    isChosen?: boolean
  },
  FilledLookup[]
>

/** Summarizes a document. `passages` are in document order. */
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
