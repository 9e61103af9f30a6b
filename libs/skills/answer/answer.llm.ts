import { type Claim, Level, Support } from '@plumbline/contracts'
import { z } from 'zod'
import { allAtOnce, type AskedText, askModel, askText, type ModelOf } from '../skill/ask-model'
import type { Numbered, Prompt } from '../skill/prompt'
import { inOrder, numbered, numberedQuotes, questionQuote, quoteLines, withinBudget } from '../skill/prompt'
import type { Answer, Call } from '../skill/skill'
import { drafted, faultIn, gradeNotes, deltaReporter } from './drafting'

export type Drafting = Omit<Parameters<Answer>[0], 'evidence'> & { passages: Numbered[] }

const stepLine = ({ question, passageIds }: Drafting['steps'][number], passages: Numbered[]): string => {
  const found = passages.filter(({ passage }) => passageIds.includes(passage.id)).map(({ n }) => n)
  return `- ${question} (${found.length > 0 ? `passages ${found.join(', ')}` : 'no passages'})`
}
const avoidLine = ({ text, reason }: Claim): string => `- ${text} (${reason})`

export const answerPrompt: Prompt<Drafting> = {
  name: 'answer',
  version: 2,
  maxTokens: 2_000,
  system: `You answer a question from numbered passages, and from nothing else. Everything you write is checked afterwards against the passages it
cites, and one sentence that does not stand holds the whole answer back.

Citations: every sentence, list item and table row ends with the numbers of the passages that carry it: "Oslo had 12 berths in 2020 [2]." What
two passages carry together cites both: [1][3]. Write nothing that needs no citation: no introduction, no summary, no advice, no offer.
Give a link or an address only as a passage you cite writes it.

Form: answer first. Markdown where it serves: short paragraphs; a numbered list for steps in their order, a list for several things of one
kind; a table where several things are compared by the same measures, with each row's citations at the end of its last cell and no column for them. No headings in a short
answer. Answer every part of the question, in the language of the question.

Figures: state figures, names, dates and units exactly as the passages do, of exactly the thing and the time that is asked for. Never
calculate yourself, not even a sum of two numbers: write the calculation in double braces, and it is worked out and put in its place:
"Together they moved {{ 400 + 520.5 }} tonnes [1][4]." "You would owe {{ 2000 * (1 + 0.04/4)^(4*2) | 2 }} euros [3]." After | stands the number of
decimals. Inside the braces there are only plain numbers, + - * / ^, brackets, round, min, max, sqrt, abs, sum and mean: no units, no words, no
separators of thousands. Each number must stand in a passage or in the question, as a figure or as a word ("half" is 2), and the calculation must be the one that the question words:
compounded monthly is twelve times a year. Say with the figure what it was made of. A result that only the question's own numbers make needs no
citation.
What is counted is named, each thing once and as the passage writes it: "The yard has {{ count("Ada", "Bo", "Cy") }} ships [2]." A count, a total or a
highest value over the rows of a table is only right if all its rows are here: where a part may be missing, say that it holds for the rows found.

Three things come before all else:
- Not told. Say plainly, once, what the passages do not tell, and cite the passage where one would look for it. Never fill the gap with a
  neighbouring row, another year, a guess or what you know. Asked for the 2019 and 2020 output: "In 2020 the mill made 310 tonnes [4]. The
  table gives no output for 2019 [4]." But that a whole list does not name a thing answers whether it is on it: "No: the list does not name Oslo [2]."
- They disagree. Where passages give different values for the same thing and time, one sentence gives both, each with its date or source:
  "The 2021 report gives 400 tonnes [1], the press release of May 2022 520 tonnes [5]." Take neither side, but say which is newer.
- The question is wrong. Where it takes something for granted that the passages deny, say first what they say. Asked why the line was closed in
  1998: "The line was not closed in 1998: it still ran in 2004 [2]."

"Stood" lists sentences of an earlier draft that passed the check: say them again, fitted into the new text, where they still serve. "Did not stand"
lists those that failed, each with why: put right what the passages allow to be put right, and leave out the rest. "Guidance" is what a
reviewer asks for: follow it as far as the passages carry it. Always write the whole answer anew. Passages that the task calls outdated hold no longer: use them only to say what held before.`,
  stable: ({ passages }) => numberedQuotes(passages),
  quotes: ({ question, steps, passages, keep, avoid = [], guidance }) => [
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
  ],
  task: ({ maxSentences, passages }) =>
    `Answer the question in at most ${maxSentences} ${maxSentences === 1 ? 'sentence' : 'sentences'}; items and rows of a list or table that the question asks for do not count.${gradeNotes(passages)}`,
}

type Ranking = Drafting & { draft: string }
const Ranked = z.object({ support: Support, usefulness: Level })

export const rankPrompt: Prompt<Ranking> = {
  name: 'rank-draft',
  version: 1,
  maxTokens: 100,
  system: `You judge one draft of an answer that was written from one passage.

support: full, the passage states all of it; partial, a part of it; none, nothing of it.
usefulness: high, it answers the question; medium, a part of it; low, it answers nothing, or only says what the passage does not tell.`,
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
type Refused = Extract<AskedText, { kind: 'refused' }>

/** One draft from each passage, all at once, each judged by itself; those that are worth as much as the best are put together. */
const bestOf = async (
  chat: ModelOf,
  input: Drafting,
  call: Call,
  draftBy: (own: Drafting, call: Call) => Promise<AskedText>,
): Promise<AskedText> => {
  const rated = await allAtOnce(input.passages, call, async (passage, own): Promise<Rated | Refused> => {
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

const draftBy = (chat: ModelOf, input: Drafting, call: Call, onDelta?: (text: string) => void): Promise<AskedText> =>
  askText({
    chat,
    skill: 'answer',
    prompt: answerPrompt,
    input,
    call,
    faultIn: (text) => faultIn(text, input),
    ...(onDelta && { onDelta }),
  })

/**
 * The model's words, with its calculations worked out by code. A draft that is streamed is not repaired: somebody has seen it. What
 * cites nothing also after the repair stays, for the check to find.
 */
export const llmAnswer =
  (chat: ModelOf, evidenceTokens: number): Answer =>
  async ({ evidence, ...given }, call) => {
    call.signal.throwIfAborted()
    if (evidence.length === 0) return { kind: 'refused', reason: 'There is nothing to write from.' }
    const { question, steps, onDelta } = given
    const words = [question, ...steps.map((step) => step.question)].join('\n')
    const passages = numbered(withinBudget(evidenceTokens, words, inOrder(evidence)))
    const input = { ...given, passages }
    const told = onDelta && deltaReporter(onDelta)
    const asked = given.perPassage
      ? await bestOf(chat, input, call, (own, at) => draftBy(chat, own, at))
      : await draftBy(chat, input, call, told?.hear)
    if (asked.kind === 'refused') return asked
    const written = await drafted(asked.text, input)
    if (written.kind === 'written') told?.finish(written.text)
    return written
  }
