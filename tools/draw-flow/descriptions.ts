export const descriptions: Record<string, { for: string; path: string }> = {
  standard: {
    for: 'The default.',
    path: `A plain question takes three calls in sequence: route, answer, check. Each step reads eight to ten passages.

1. The router limits the question to matching collections. It asks back if the question is too vague, and declines it if it is out of scope.
2. A complex question is planned into steps that run in parallel. A simple one continues with the queries that the router wrote.
3. If the draft is unsupported, in conflict, incomplete or absent, the evidence of each step is graded in one call. If none passes, or all cited evidence is outdated or of little authority, the query is rewritten, then the web is searched, if it is on.
4. An ungrounded draft is written again once and keeps its supported sentences. Then the missing evidence is researched once. Then the draft is held.`,
  },
  simple: {
    for: 'Short questions with short answers, such as business hours.',
    path: `One search with the question itself, one draft, one check: no router, plan, grading or retry. An ungrounded draft is held.`,
  },
  auto: {
    for: 'Questions of every kind under different deadlines and prices.',
    path: `Like \`standard\`, but a simple question gets no plan and at most one rewrite. A retry starts only if the remaining time and money are enough for the retry and its draft.`,
  },
  research: {
    for: 'A research agent over reports, whose doubtful answers the asker confirms.',
    path: `Every question is planned, and each step gets two written queries beside its own. The best two passages of each query are the evidence, which is not graded. An ungrounded draft is held at once; the asker may have it written again, or end the run. The router uses the strong model, and the checks use the small one.`,
  },
  adaptive: {
    for: 'Adaptive RAG: an index for some subjects, the web for all others.',
    path: `If any of four passages is irrelevant, three ungraded web results for the original question are added to the relevant ones. An ungrounded draft is written again. If a draft is not useful, the web is searched. These retries share one counter of three, which an asker may lower (\`limits.retries\`). Then the last draft is released with a mark, if the operator allows that.`,
  },
  corrective: {
    for: 'Corrective RAG (CRAG): evidence is judged before anything is written.',
    path: `If any passage is irrelevant, the question is rewritten and searched on the web. Only the relevant sentences of the evidence are kept. If the draft fails its check, it is written again once. If it fails again, it is held.`,
  },
  'self-reflective': {
    for: 'A self-reflective agent: it judges whether to search, how relevant the passages are, and whether the draft is supported and useful.',
    path: `The router searches, replies without documents, or continues with the passages of the thread. A reply beyond small talk is marked as unchecked general knowledge. If no passage is relevant, or the answer is not useful, the query is rewritten and searched again, then the web. A draft is written from each passage, and the best are combined. A draft that is not fully supported is written again up to twice, then held.`,
  },
  agentic: {
    for: 'An agentic RAG loop: decompose, retrieve, grade, rewrite, augment.',
    path: `Each query of the plan finds six passages, which are graded against it. With fewer than two high or medium grades, the query is rewritten, and the new try replaces the passages that failed. After the last try, one such passage is enough. For an ungrounded draft, the missing evidence is researched. All retries share one counter of three. A draft that stays ungrounded is released with a caveat, if the operator allows that.`,
  },
  'self-rag': {
    for: 'Self-RAG with web search as its reserve.',
    path: `With fewer than two relevant passages, the web is searched once; this search is not counted, and its results are not graded. An unsupported draft is written again. If a draft is not useful, the web is searched with other words. After three retries the draft is held. If a question is too broad, the checked general answer is released with a question to narrow it, and the reply in the same thread completes it.`,
  },
}
