/** The purpose of each preset, and its path in words, beside the drawing. */
export const descriptions: Record<string, { for: string; path: string }> = {
  standard: {
    for: 'The default.',
    path: `The router makes the question understandable without its thread and limits it to matching collections. It asks back if the question is too vague, and declines it
if it is out of scope. A complex question is planned into steps that run in parallel. A simple one continues with the queries that the router wrote.
Each step reads eight to ten passages. A plain question takes three calls in sequence: route, answer, check. Every claim of the draft is checked.
The check also says whether the answer is sensitive, and which cited passages are outdated or hearsay. If the draft is unsupported, in conflict, incomplete or absent,
the evidence of each step is graded in one call. If none passes, or if all cited evidence is outdated or of little authority, the query is rewritten with the failures.
This repeats until a try finds only known passages; then the web is searched, if it is on. An ungrounded draft is written again once, and keeps its supported sentences.
Then the missing evidence is researched once.
Then the draft is held for a reviewer. Nothing is written without evidence.`,
  },
  simple: {
    for: 'Short questions with short answers, such as business hours: one model call, then the check.',
    path: `One search with the question itself, one draft, one check. There is no router, no plan, no grading and no retry. One small call makes a follow-up standalone.
An ungrounded draft is held. If nothing is found, the run ends with a list of what was searched.`,
  },
  auto: {
    for: 'Questions of every kind under different deadlines and prices: as deep as is worthwhile.',
    path: `Like \`standard\`, but a simple question gets no plan and at most one rewrite. Before each retry, the core computes whether the remaining time and money cover
the retry and its draft, from the average of the earlier ones. It uses the times of the reports and the cost of their calls.`,
  },
  research: {
    for: 'A research agent over reports. It routes, plans and searches in parallel, and a person confirms doubtful answers.',
    path: `The router has three outcomes: research, more information needed, or a general reply. Every question is planned. Each step gets two written queries beside its own.
All are searched at once by similarity, MMR and BM25, fused by rank and reranked. The best two passages of each query are the evidence, which is not graded.
An ungrounded draft is held at once. The asker either retries only the writing, or ends the run. The router uses the strong model here, and the checks use the small one.`,
  },
  adaptive: {
    for: 'Adaptive RAG: an index for some subjects, the web for all others, and a limited loop of self-checks.',
    path: `The router sends topics that the collections describe to the index, and all others to the web. It reads four passages. If any is irrelevant, the relevant ones are kept,
and three web results for the original question are added, ungraded. Answers have three sentences. An ungrounded draft is written again; one that is not useful leads to the web.
These retries share one counter of three, which an asker may lower (\`limits.retries\`). A web search for poor evidence is not counted. When the counter is spent,
the last draft is released with a mark, unless the operator holds such drafts.`,
  },
  corrective: {
    for: 'Corrective RAG (CRAG): evidence is judged before anything is written.',
    path: `There is no router, but one small call makes a follow-up standalone. If the evidence is ambiguous or incorrect, or any passage is irrelevant, the question is rewritten
and searched on the web. The remaining evidence is reduced to the strips relevant to the question. The source method ends there. Here the draft is also checked, written again once, and then held.`,
  },
  'self-reflective': {
    for: 'A self-reflective agent: it decides whether to retrieve, and whether passages are relevant, the answer is supported, and the answer is useful.',
    path: `The router decides about retrieval: *yes* searches, *no* replies without documents, and *continue* uses the passages of the thread. A reply beyond small talk is marked as unchecked general knowledge.
One relevant passage is enough to write. If none is relevant, or the answer is grounded but not useful, the query is rewritten and searched again. After the last rewrite the web is searched, if it is on.
A draft that is not fully supported is written again twice, then held. A draft is written from each passage by itself (\`drafts: per-passage\`); these are graded and ranked, and the best are combined.`,
  },
  agentic: {
    for: 'An agentic RAG loop: decompose, retrieve, grade, rewrite, augment.',
    path: `The plan comes first; in a thread, one small call makes the follow-up standalone before it. Each query finds six passages, which are graded against that query; high and medium grades pass.
With fewer than two, the query is rewritten, and each new try replaces the passages that failed. One good passage is enough if the tries find no second one.
For an ungrounded draft, the missing evidence is researched. Rewrites and this research share one counter of three. If nothing passed, the run ends with a list of what was tried,
and says whether nothing was found or all of it was about something else. A draft that stays ungrounded is released with a caveat.`,
  },
  'self-rag': {
    for: 'Self-RAG with web search as its reserve.',
    path: `The search comes first; in a thread, one small call makes the follow-up standalone before it. With fewer than two relevant passages, the web is searched and its results are used ungraded.
An unsupported draft is written again. One that is not useful leads to the web with other words. There are at most three retries, and then the draft is held; the source method has no limit.
The web search for too few passages is not counted, and is not repeated if it finds nothing. If a question is too broad, the checked general answer is released with a question to narrow it.
The reply in the same thread completes the earlier question.`,
  },
}
