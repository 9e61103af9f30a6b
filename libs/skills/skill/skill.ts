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

/** The options of a skill call. */
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

/** A function that does one job of an agent, such as routing or checking. */
export type Skill<In, Out> = (input: In, call: Call) => Promise<Out>

/**
 * A collection as the router sees it. `made`: the description was generated from the titles and headings of all
 * documents (`whole`) or some (`part`).
 */
export type CollectionCard = { name: string; description: string; made?: 'whole' | 'part' }

export type ThreadTurn = { question: string; text: string }
/**
 * The conversation so far: the last turns, and a summary of the earlier turns. Contains only what this asker may read.
 */
export type Thread = {
  turns: ThreadTurn[]
  summary?: string
  /** True if the last turn was a clarifying question to the asker. */
  askedBack: boolean
  /** True if the last answer has passages. The router may then choose to continue with those passages. */
  hasPassages: boolean
}

/**
 * The question that the router decides. `scope`: do the collections cover the message, does it need the web, or is it
 * too vague? `index-or-web`: do the collections describe the subject? If not, the web is searched. `retrieve-or-not`:
 * does the message need documents at all?
 */
export type RouteMode = 'scope' | 'index-or-web' | 'retrieve-or-not'

/** Chooses the route of a question, makes a follow-up standalone, and writes the queries of a simple question. */
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
    /** The title of the document to summarize, as the asker wrote it. */
    title?: string
    /** True if the reply states common knowledge and not only small talk. */
    knowledge?: boolean
  }
>

/**
 * Makes a follow-up standalone without choosing a route. The fields of the result have the same meaning as in `Route`.
 */
export type StandaloneQuestion = Skill<
  { question: string; thread: Thread },
  Pick<Awaited<ReturnType<Route>>, 'question' | 'summary'>
>

/** Splits a question into the steps that answer it, each with its queries. */
export type Plan = Skill<
  { question: string; collections: CollectionCard[]; maxSteps: number; queries: number },
  { logic: string; steps: PlannedStep[] }
>

/** A passage that was graded as irrelevant. Has the grade level and the reason if they are known. */
export type FailedPassage = { text: string; title: string; level?: string; reason?: string }

/**
 * Writes a new query after other queries failed. Never returns a query that was tried. Returns null if no new query is
 * found.
 */
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

/**
 * The result of `answer`. In `text`, each sentence, list item and table row ends with its citations, such as `[1]` or
 * `[1][3]`. The numbers refer to `citations`.
 */
export type Drafted =
  | { kind: 'written'; text: string; citations: CitedPassage[]; workings?: Working[]; quotes?: QuotedPlace[] }
  | { kind: 'quoted'; quotes: QuotedPlace[]; degraded?: boolean }
  | { kind: 'refused'; reason: string }

/** The result of `answer` if none of the passages is about the question. */
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
    /** The text that the reader has already. The draft continues it. */
    begun?: string
    /** The ids of the passages by number, as the text in `begun` cites them. */
    numbers?: readonly string[]
  },
  Drafted | Distant
>

/**
 * Returns the result of a step in a few words, or null. The words are inserted into the question of the step that waits
 * for the result.
 */
export type ShortAnswer = Skill<{ question: string; evidence: Evidence[] }, string | null>

/**
 * Writes a reply without documents. `written`: a model wrote the reply. `refused`: the reason why the model refused. In
 * that case `text` is empty.
 */
export type Reply = Skill<
  {
    question: string
    to: 'general' | 'clarify' | 'narrow' | 'decline' | 'knowledge'
    logic: string
    collections: CollectionCard[]
    /** Topics of the evidence, from which the asker can choose one. */
    dimensions?: string[]
  },
  { text: string; written?: boolean; refused?: string }
>

/**
 * Checks the beginning of a draft that is still being written, but skips the first `known` claims. Returns the claims
 * that may be released, up to the first that must wait, and the key of the check.
 */
export type CheckPart = Skill<
  Omit<Parameters<Check>[0], 'checked' | 'onPassed'> & { known: number },
  { claims: Claim[]; key: string }
>

/**
 * Splits a draft into claims and judges each claim against the passages it cites. Also rates the draft against the
 * question.
 */
export type Check = Skill<
  {
    question: string
    steps: string[]
    text: string
    citations: CitedPassage[]
    /** All passages that were found, including those that the draft does not cite. */
    evidence: Evidence[]
    workings?: Working[]
    /**
     * The claims at the beginning that were checked while the draft was written. They are reused only if the key is the
     * same.
     */
    checked?: { claims: Claim[]; key: string }
    /** Receives the first claims that may be released, before the check has rated the whole draft. */
    onPassed?: (claims: Claim[], key: string) => void
  },
  Checked
>

/**
 * Returns the values that a question gives for a lookup's parameters. Returns null if the question is not about the
 * lookup or gives too few values.
 */
export type FillLookup = Skill<
  {
    question: string
    lookup: LookupCard
    /** True if an operator's rule selected the lookup. The question need not be about the lookup then. */
    isChosen?: boolean
  },
  Record<string, string> | null
>

/** Summarizes a whole document in a few sentences, each with its citations. `passages` are in document order. */
export type Summarise = Skill<
  { question: string; passages: Evidence[]; maxSentences: number; onDelta?: (text: string) => void },
  Drafted
>

export type Skills = {
  /** A label for people that names the models in use. */
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
