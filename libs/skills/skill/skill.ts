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

/** Carries the options of a skill call: abort signal, model tier, temperature and a listener for model calls. */
export type Call = {
  signal: AbortSignal
  tier: 'small' | 'strong'
  temperature: number
  /** The fallback if no provider answers: the skill's offline form (the default), or none. */
  lastRung?: 'offline' | 'none'
  onCall?: (call: ModelCall) => void
}

/** Does one job of an agent, such as routing or checking. */
export type Skill<In, Out> = (input: In, call: Call) => Promise<Out>

/** `made`: the description was generated from the titles and headings of all documents, or of a part of them. */
export type CollectionCard = { name: string; description: string; made?: 'whole' | 'part' }

export type Turn = { question: string; text: string }
/** The conversation so far, limited to what this asker may read: its last turns, and a summary of the earlier ones. */
export type Thread = {
  turns: Turn[]
  summary?: string
  /** The last turn was a question back to the asker. */
  askedBack: boolean
  /** The last answer has passages, so the router may choose to continue with them. */
  hasPassages: boolean
}

/**
 * Selects what the router decides.
 * `scope`: do the collections cover the question, does it need the web, or is it too vague?
 * `index-or-web`: the collections for questions that they describe, the web for all others.
 * `retrieve-or-not`: does the question need documents at all?
 */
export type RouteMode = 'scope' | 'index-or-web' | 'retrieve-or-not'

/** Routes a question, makes a follow-up standalone, and writes the queries of a simple question. */
export type Route = Skill<
  {
    question: string
    collections: CollectionCard[]
    webOn: boolean
    mode: RouteMode
    /** Number of queries to write besides the question itself. */
    queries: number
    /** A reply may also state common knowledge. */
    knowledge: boolean
    thread?: Thread
  },
  {
    to: RouteTo
    logic: string
    collections: string[]
    /** The standalone question; absent if the message is already complete. */
    question?: string
    /** The summary of the thread, if it has more turns than a prompt shows in full. */
    summary?: string
    /** One look-up answers the question, so it needs no plan. */
    simple?: boolean
    queries?: string[]
    /** The document to summarize, as the asker names it. */
    title?: string
    /** The reply states common knowledge and is more than small talk. */
    knowledge?: boolean
  }
>

/** Makes a follow-up standalone and decides no route. Its results mean the same as those of `Route`. */
export type StandaloneQuestion = Skill<
  { question: string; thread: Thread },
  Pick<Awaited<ReturnType<Route>>, 'question' | 'summary'>
>

/** Splits a question into the look-ups that answer it, each with its queries. */
export type Plan = Skill<
  { question: string; collections: CollectionCard[]; maxSteps: number; queries: number },
  { logic: string; steps: PlannedStep[] }
>

/** A passage that failed, with its grade and the reason if they are known. */
export type FailedPassage = { text: string; title: string; level?: string; reason?: string }

/** Writes one new query after others failed. Never returns a tried query; returns null if it finds no new one. */
export type RewriteQuery = Skill<
  { question: string; triedQueries: string[]; failedPassages: FailedPassage[]; reason: string },
  { query: string; strategy: Strategy; reason: string } | null
>

export type Strictness = 'lenient' | 'normal' | 'strict'

/** Grades all passages of a step. Returns the grades in the order of the passages. */
export type GradeEvidence = Skill<
  { question: string; passages: Evidence[]; strictness: Strictness; against: 'step' | 'query' },
  Grade[]
>

/** Returns the strips of a passage that bear on the question, in order and word for word. */
export type RefineEvidence = Skill<{ question: string; passage: Passage }, string[]>

/** In `text`, every sentence, list item and table row ends with its citations, `[1]` or `[1][3]`, as in `citations`. */
export type Drafted =
  | { kind: 'written'; text: string; citations: CitedPassage[]; workings?: Working[]; quotes?: QuotedPlace[] }
  | { kind: 'quoted'; quotes: QuotedPlace[]; degraded?: boolean }
  | { kind: 'refused'; reason: string }

/** None of the passages is about the question. */
export type Distant = { kind: 'distant' }

export type Answer = Skill<
  {
    question: string
    /** The steps' questions in order, each with the ids of its evidence. A simple question has one step. */
    steps: { question: string; passageIds: string[] }[]
    evidence: Evidence[]
    maxSentences: number
    /** The supported claims of the last draft; `avoid` has the failed ones, with reasons. */
    keep?: string[]
    avoid?: Claim[]
    guidance?: string
    /** Write one draft from each passage, rank the drafts, and join the best. */
    perPassage?: boolean
    onDelta?: (text: string) => void
  },
  Drafted | Distant
>

/** Returns the finding of a step in a few words that fit into the question of the waiting step, or null. */
export type ShortAnswer = Skill<{ question: string; evidence: Evidence[] }, string | null>

/** Writes a reply without documents. `written`: a model wrote it. `refused`: the model's reason, with empty `text`. */
export type Reply = Skill<
  {
    question: string
    to: 'general' | 'clarify' | 'narrow' | 'decline' | 'knowledge'
    logic: string
    collections: CollectionCard[]
    /** Topics of the evidence that the asker can choose from. */
    dimensions?: string[]
  },
  { text: string; written?: boolean; refused?: string }
>

/** Splits a draft into claims, judges each against the passages it cites, and rates the draft against the question. */
export type Check = Skill<
  {
    question: string
    steps: string[]
    text: string
    citations: CitedPassage[]
    /** All passages that were read, cited or not. */
    evidence: Evidence[]
    workings?: Working[]
  },
  Checked
>

/**
 * Returns the values that a question gives for a lookup's parameters.
 * Returns null if the question is not about the lookup or gives too few values.
 */
export type FillLookup = Skill<
  {
    question: string
    lookup: LookupCard
    /** An operator's rule selected the lookup, so only its values must be found. */
    isChosen?: boolean
  },
  Record<string, string> | null
>

/** Summarizes a whole document in a few sentences, each with its passages. `passages` come in document order. */
export type Summarise = Skill<
  { question: string; passages: Evidence[]; maxSentences: number; onDelta?: (text: string) => void },
  Drafted
>

export type Skills = {
  /** Describes for people which models answer. */
  readonly label: string
  route: Route
  standaloneQuestion: StandaloneQuestion
  plan: Plan
  rewriteQuery: RewriteQuery
  gradeEvidence: GradeEvidence
  refineEvidence: RefineEvidence
  answer: Answer
  shortAnswer: ShortAnswer
  reply: Reply
  check: Check
  fillLookup: FillLookup
  summarise: Summarise
}
