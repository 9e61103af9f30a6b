import { type Claim, Level, Support } from '@plumbline/contracts'
import { z } from 'zod'
import { askModel, askText, inParallel, type ModelOf, type TextResult } from '../skill/ask-model'
import type { NumberedPassage, Prompt } from '../skill/prompt'
import { numberedQuotes, numberPassages, questionQuote, quoteLines, withinBudget } from '../skill/prompt'
import type { Answer, Call } from '../skill/skill'
import { deltaReporter, toDraft, faultIn, gradeNotes, partReporter, sentencesIn } from './drafting'

export type DraftInput = Omit<Parameters<Answer>[0], 'evidence'> & { passages: NumberedPassage[] }

const stepLine = ({ question, passageIds }: DraftInput['steps'][number], passages: NumberedPassage[]): string => {
  const found = passages.filter(({ passage }) => passageIds.includes(passage.id)).map(({ n }) => n)
  return `- ${question} (${found.length > 0 ? `passages ${found.join(', ')}` : 'no passages'})`
}
const avoidLine = ({ text, reason }: Claim): string => `- ${text} (${reason})`

const continued =
  ' The reader already has the beginning of the answer, quoted as "sent". Write only what follows it: do not repeat it and take nothing of it back. Write the single word NOTHING if nothing is missing.'
/** Matches the reply of a model that has nothing to add to the text that the asker already has. */
const nothing = /^\W*nothing\W*$/i

const checkedBefore =
  ' "stood" lists supported sentences of an earlier draft: keep those that still serve, but none that calls something missing that a passage tells. "did not stand" lists failed ones with the reason: correct what the passages allow, and leave out the rest. Write the whole answer again.'
const guided = ' "guidance" is a reviewer\'s wish: follow it as far as the passages support it.'

const sentenceLimit = (most: number): string =>
  `Answer the question in at most ${most} ${most === 1 ? 'sentence' : 'sentences'}; items and rows of a list or table that the question asks for do not count.`

export const answerPrompt: Prompt<DraftInput> = {
  name: 'answer',
  version: 5,
  maxTokens: 2_000,
  system: `Answer the question. Each sentence is checked against the passages it cites, and one unsupported sentence holds back the whole answer.

End each sentence, list item and table row with the numbers of its passages: "Oslo had 12 berths in 2020 [2]." What two passages state together cites
both: [1][3]. A lead-in such as "It has two types:" needs none if its items cite. Nothing else goes uncited: no introduction, summary, advice or offer.

Answer first, in the question's language, each of its parts as briefly as it allows, in the form and the number of points that it asks for. A numbered
list for steps, with each step that the passages name; a list for several things; a table for a comparison, with citations in each row's last cell. A list
that claims to be complete names every item. No headings in a short answer. Decimal and thousands signs follow the language (4,50 € in German).

Never calculate, not even a sum or a conversion: write it in double braces, and code works it out. "Together they moved {{ 400 + 520.5 }} tonnes [1][4]."
"You would owe {{ 2000 * (1 + 0.04/4)^(4*2) | 2 }} euros [3]." The number after | rounds to so many decimals. Inside: plain numbers with a decimal point,
+ - * / ^, brackets, round, min, max, sqrt, abs, sum, mean; no units, words or thousands signs. Each number is in a passage or in the question, as a figure
or a word ("half" is 2), or is a fixed factor of units (60, 1000, 1.609344). Say what the result was made of. A result of the question's own numbers alone
needs no citation. Count named things, each once as the passage writes it: "The yard has {{ count("Ada", "Bo", "Cy") }} ships [2]." If rows may be
missing, say that a count, a total or a highest value covers the rows found.

Three rules come first:
- Not in the documents: say once what the passages do not say, and cite where it would stand. Never fill the gap with another row or year or a guess:
  "The table gives no output for 2019 [4]." A whole list answers whether a thing is on it: "No: the list does not name Oslo [2]."
- In conflict: if passages give different values for the same thing and time, give both in one sentence, each with its date or source, and say which is
  newer. Say that a timetable or rule has expired, and that a status is contradicted by its own dates.
- Wrong question: if the passages deny what the question assumes, first say what they say: "The line was not closed in 1998: it ran in 2004 [2]."`,
  passages: ({ passages }) => passages,
  quotes: ({ question, steps, passages, keep, avoid = [], guidance, begun }) => [
    questionQuote(question),
    ...(steps.length > 1
      ? quoteLines(
          'steps',
          steps.map((step) => stepLine(step, passages)),
        )
      : []),
    ...quoteLines(
      'stood',
      keep?.map((text) => `- ${text}`),
    ),
    ...quoteLines('did not stand', avoid.map(avoidLine)),
    ...quoteLines('guidance', guidance === undefined ? [] : [guidance]),
    ...quoteLines('sent', begun === undefined ? [] : [begun]),
  ],
  task: ({ maxSentences, passages, keep = [], avoid = [], guidance, begun }) =>
    [
      sentenceLimit(maxSentences),
      gradeNotes(passages),
      keep.length + avoid.length > 0 ? checkedBefore : '',
      guidance === undefined ? '' : guided,
      begun === undefined ? '' : continued,
    ].join(''),
}

type Ranking = DraftInput & { draft: string }
const Ranked = z.object({ support: Support, usefulness: Level })

export const rankPrompt: Prompt<Ranking> = {
  name: 'rank-draft',
  version: 2,
  maxTokens: 100,
  system: `You judge one draft of an answer, written from one passage.

support: full, the passage states all of it; partial, a part; none, nothing.
usefulness: high, it answers the question; medium, a part of it; low, it answers nothing or only says what the passage lacks.`,
  quotes: ({ passages, question, draft }) => [
    ...numberedQuotes(passages),
    questionQuote(question),
    { name: 'draft', text: draft },
  ],
  task: () => 'Judge the draft.',
}

const supports: Support[] = ['none', 'partial', 'full']
const levels: Level[] = ['low', 'medium', 'high']
const worthOf = ({ support, usefulness }: z.infer<typeof Ranked>): number =>
  supports.indexOf(support) * levels.length + levels.indexOf(usefulness)

type Rated = { kind: 'rated'; text: string; worth: number }
type Refused = Extract<TextResult, { kind: 'refused' }>

const bestOf = async (
  chat: ModelOf,
  input: DraftInput,
  call: Call,
  draftBy: (own: DraftInput, call: Call) => Promise<TextResult>,
): Promise<TextResult> => {
  const rated = await inParallel(input.passages, call, async (passage, own): Promise<Rated | Refused> => {
    const alone = { ...input, passages: [passage] }
    const draft = await draftBy(alone, own)
    if (draft.kind === 'refused') return draft
    const asking = { chat, skill: 'answer' as const, prompt: rankPrompt, call: own, schema: Ranked }
    const ranked = await askModel({ ...asking, input: { ...alone, draft: draft.text } })
    return { kind: 'rated', text: draft.text.trim(), worth: ranked.kind === 'refused' ? 0 : worthOf(ranked.value) }
  })
  const drafts = rated.filter((each) => each.kind === 'rated')
  const [refusal] = rated.filter((each) => each.kind === 'refused')
  if (drafts.length === 0 && refusal) return refusal
  const best = Math.max(...drafts.map(({ worth }) => worth))
  const kept = drafts.filter(({ worth }) => worth === best)
  return { kind: 'answered', text: kept.map(({ text }) => text).join('\n\n') }
}

type Hearing = { onDelta?: (text: string) => void; onText?: (text: string) => void }

/** Returns a fault if the draft is too long. It is never shortened after the asker has seen its beginning. */
const tooLong = async (text: string, { maxSentences, begun, endParts }: DraftInput): Promise<string | null> => {
  const count = sentencesIn(text)
  if (count <= maxSentences || begun !== undefined || (await endParts?.())) return null
  return `It has ${count} sentences outside lists and tables; at most ${maxSentences} are allowed. Keep what answers the question, with its citations.`
}

const draftFault = async (text: string, input: DraftInput): Promise<string | null> => {
  if (input.begun !== undefined && nothing.test(text)) return null
  const faults = [await faultIn(text, input), await tooLong(text, input)]
  return faults.filter((fault) => fault !== null).join('\n') || null
}

const draftBy = (chat: ModelOf, input: DraftInput, call: Call, hearing: Hearing = {}): Promise<TextResult> =>
  askText({
    ...{ chat, skill: 'answer', prompt: answerPrompt, input, call },
    faultIn: (text) => draftFault(text, input),
    ...hearing,
  })

/** A streamed draft is not repaired, because the asker has already seen the draft. */
export const llmAnswer =
  (chat: ModelOf, evidenceTokens: number): Answer =>
  async ({ evidence, ...given }, call) => {
    call.signal.throwIfAborted()
    if (evidence.length === 0) return { kind: 'refused', reason: 'There is nothing to write from.' }
    const { question, steps, onDelta, onPart, begun, numbers } = given
    const words = [question, ...steps.map((step) => step.question)].join('\n')
    const passages = numberPassages(withinBudget(evidenceTokens, words, evidence), numbers)
    const input = { ...given, passages }
    const told = onDelta && deltaReporter(onDelta)
    const hearing = { ...(told && { onDelta: told.hear }), ...(onPart && { onText: partReporter(input, onPart) }) }
    const asked = given.perPassage
      ? await bestOf(chat, input, call, (own, at) => draftBy(chat, own, at))
      : await draftBy(chat, input, call, hearing)
    if (asked.kind === 'refused') return asked
    const said = begun !== undefined && nothing.test(asked.text) ? '' : asked.text
    const written = await toDraft(said, input)
    if (written.kind === 'written') told?.finish(written.text)
    return written
  }
