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

/** What every call of a skill carries: when to stop, how good a model it asks for, and where its calls are told. */
export type Call = {
  signal: AbortSignal
  tier: 'small' | 'strong'
  temperature: number
  /** What does the work when no provider can: the offline form of the skill (so without this), or nothing. */
  lastRung?: 'offline' | 'none'
  onCall?: (call: ModelCall) => void
}

/** A skill is one thing an agent does. */
export type Skill<In, Out> = (input: In, call: Call) => Promise<Out>

/** `made`: nobody wrote the description; it is made of titles and headings, of all of them or of a part. */
export type CollectionCard = { name: string; description: string; made?: 'whole' | 'part' }

export type Turn = { question: string; text: string }
/** The conversation so far, as far as this asker may read it: its last turns, and in short what came before them. */
export type Thread = {
  turns: Turn[]
  summary?: string
  /** The last turn was a question back to the asker. */
  askedBack: boolean
  /** The last answer rests on passages, with which it may be gone on. */
  hasPassages: boolean
}

/**
 * What there is to decide. `scope`: is this what the collections are for, does it need the web, is it too vague? `index-or-web`: the
 * collections for what they describe, the web for all else. `retrieve-or-not`: does it need documents at all?
 */
export type RouteMode = 'scope' | 'index-or-web' | 'retrieve-or-not'

/** Routes a question, makes it stand without its thread, and writes the queries of a simple one. */
export type Route = Skill<
  {
    question: string
    collections: CollectionCard[]
    webOn: boolean
    mode: RouteMode
    /** How many queries are wanted beside the question itself. */
    queries: number
    /** A reply may also tell what needs no document. */
    knowledge: boolean
    thread?: Thread
  },
  {
    to: RouteTo
    logic: string
    collections: string[]
    /** As it stands without the thread; absent where it does so already. */
    question?: string
    /** The thread in short, where it has more turns than are shown. */
    summary?: string
    /** One look-up answers it, so that it needs no plan. */
    simple?: boolean
    queries?: string[]
    /** The document that is to be summed up, as the asker names it. */
    title?: string
    /** A reply to something that is no small talk. */
    knowledge?: boolean
  }
>

/** Makes a follow-up stand without its thread, and does nothing else. It says what `Route` says of the same. */
export type StandaloneQuestion = Skill<
  { question: string; thread: Thread },
  Pick<Awaited<ReturnType<Route>>, 'question' | 'summary'>
>

/** Cuts a question into the look-ups that answer it, each with its queries. */
export type Plan = Skill<
  { question: string; collections: CollectionCard[]; maxSteps: number; queries: number },
  { logic: string; steps: PlannedStep[] }
>

/** A passage that did not do, with what is known of why. */
export type FailedPassage = { text: string; title: string; level?: string; reason?: string }

/** One new query after others fell short; never one that was tried. Null: there is none. */
export type RewriteQuery = Skill<
  { question: string; triedQueries: string[]; failedPassages: FailedPassage[]; reason: string },
  { query: string; strategy: Strategy; reason: string } | null
>

export type Strictness = 'lenient' | 'normal' | 'strict'

/** Grades all passages of a step, in their order. */
export type GradeEvidence = Skill<
  { question: string; passages: Evidence[]; strictness: Strictness; against: 'step' | 'query' },
  Grade[]
>

/** The strips of a passage that bear on the question, in their order, word for word. */
export type RefineEvidence = Skill<{ question: string; passage: Passage }, string[]>

/** Every sentence, list item and table row of a text ends with its citations, `[1]` or `[1][3]`, numbered as in `citations`. */
export type Drafted =
  | { kind: 'written'; text: string; citations: CitedPassage[]; workings?: Working[]; quotes?: QuotedPlace[] }
  | { kind: 'quoted'; quotes: QuotedPlace[]; degraded?: boolean }
  | { kind: 'refused'; reason: string }

export type Answer = Skill<
  {
    question: string
    /** The steps' questions in order, each with the ids of its evidence; one step for a simple question. */
    steps: { question: string; passageIds: string[] }[]
    evidence: Evidence[]
    maxSentences: number
    /** Claims of the last draft that stood, and those that did not, with why. */
    keep?: string[]
    avoid?: Claim[]
    guidance?: string
    /** A draft from each passage by itself, ranked, of which the best are put together. */
    perPassage?: boolean
    onDelta?: (text: string) => void
  },
  Drafted
>

/** What a step found, in a few words that can stand in the question of the step that waits for it; null where it found nothing. */
export type ShortAnswer = Skill<{ question: string; evidence: Evidence[] }, string | null>

/** Writes without documents. `written`: in a model's words. `refused`: why the model would not; then there is no text. */
export type Reply = Skill<
  {
    question: string
    to: 'general' | 'clarify' | 'narrow' | 'decline' | 'knowledge'
    logic: string
    collections: CollectionCard[]
    /** What the passages that were read are about, to ask between. */
    dimensions?: string[]
  },
  { text: string; written?: boolean; refused?: string }
>

/** Splits a draft into claims, judges each against what it cites, and the whole by what was asked. */
export type Check = Skill<
  {
    question: string
    steps: string[]
    text: string
    citations: CitedPassage[]
    /** All passages that were read. */
    evidence: Evidence[]
    workings?: Working[]
  },
  Checked
>

/** The values a question gives for a lookup's parameters; null where it does not ask for what the lookup tells, or gives too little. */
export type FillLookup = Skill<
  {
    question: string
    lookup: LookupCard
    /** An operator's rule has it asked: whether the question is about it is decided, and only the values are to be found. */
    isChosen?: boolean
  },
  Record<string, string> | null
>

/** A whole document in a few sentences, each with the passages it rests on. The passages come in the document's order. */
export type Summarise = Skill<
  { question: string; passages: Evidence[]; maxSentences: number; onDelta?: (text: string) => void },
  Drafted
>

export type Skills = {
  /** What a run was answered with, as people read it. */
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
