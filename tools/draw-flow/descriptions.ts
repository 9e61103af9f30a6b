export const descriptions: Record<string, { for: string; path: string }> = {
  standard: {
    for: 'The default.',
    path: `A simple question takes three model calls in sequence: route, answer, check. Each step uses eight to ten passages.

1. The router limits the search to matching collections. It asks for details if the question is too vague, and declines the question if it is out of scope.
2. A complex question is split into steps that run in parallel. For a simple question, the router has already written the search queries.
3. If the draft is unsupported, incomplete or missing, or if a passage gives another value, the evidence of each step is graded in one call. If no passage passes, or all cited passages are outdated or of little authority, Plumbline searches again with a rewritten query. If that does not help, the web is searched, if web search is on.
4. An ungrounded draft is written again once, and its supported sentences stay. If the new draft is ungrounded too, Plumbline searches once for the missing evidence. If that does not help, the draft is held.`,
  },
  simple: {
    for: 'Short questions with short answers, such as business hours.',
    path: `One search with the question itself, one draft and one check. There is no router, plan, grading or retry. An ungrounded draft is held.`,
  },
  auto: {
    for: 'Questions of every kind under different deadlines and prices.',
    path: `Like \`standard\`, but a simple question gets no plan and at most one rewrite. A retry starts only if the remaining time and money are enough for the retry and its draft.`,
  },
  research: {
    for: 'A research agent over reports. The asker decides about an ungrounded draft.',
    path: `Every question is split into steps. A model writes two queries for each step, in addition to the question of the step. The best two passages of each query are the evidence, which is not graded. An ungrounded draft is held at once. The asker may have it written again, or end the run. The router uses the strong model, and the checks use the small one.`,
  },
  adaptive: {
    for: 'Adaptive RAG: it searches the documents for some subjects, and the web for all others.',
    path: `A search finds four passages. If any of them is irrelevant, three web results for the original question are added to the relevant ones, without grading. An ungrounded draft is written again. If a draft is not useful, the web is searched. These retries share one counter, which allows three. A question may lower it (\`limits.retries\`). When no retry is left, the last draft is released and marked as not fully supported, if the operator allows that.`,
  },
  corrective: {
    for: 'Corrective RAG (CRAG): it grades the evidence before it writes a draft.',
    path: `If any passage is irrelevant, the question is rewritten, and the web is searched with the rewritten question. The draft is written only from the relevant sentences of the evidence. If the draft fails its check, it is written again once. If it fails again, it is held.`,
  },
  'self-reflective': {
    for: 'A self-reflective agent: it judges whether to search, how relevant the passages are, and whether its draft is supported and useful.',
    path: `The router decides whether to search, to reply without documents, or to use the passages of the conversation again. A reply beyond small talk is marked as unchecked general knowledge. If no passage is relevant, or the answer is not useful, Plumbline searches again with a rewritten query. If that does not help, the web is searched. A draft is written from each passage, and the best drafts are combined. A draft that is not fully supported is written again up to twice. Then it is held.`,
  },
  agentic: {
    for: 'An agentic RAG loop: it plans, searches, grades, rewrites queries, and searches for missing evidence.',
    path: `Each query of the plan finds six passages, which are graded against that query. If fewer than two of them get a high or medium grade, the query is rewritten. The passages of the new search replace those with a low grade. After the last search, one passage with such a grade is enough. If a draft is ungrounded, Plumbline searches for the missing evidence. All retries share one counter, which allows three. A draft that stays ungrounded is released with a caveat, if the operator allows that.`,
  },
  'self-rag': {
    for: 'Self-RAG, with web search if the documents are not enough.',
    path: `If fewer than two passages are relevant, the web is searched once. This search does not count as a retry, and its results are not graded. An unsupported draft is written again. If a draft is not useful, the web is searched with other words. After three retries, the draft is held. If a question is too broad, the checked general answer is released with a clarifying question. The asker answers it in the same conversation.`,
  },
}
